# The browser table. Build: docker build -t sandtable .
FROM python:3.13-slim

COPY pyproject.toml README.md LICENSE /src/
COPY framework /src/framework
COPY plugins /src/plugins
RUN pip install --no-cache-dir "/src[web,keys]" \
 && rm -r /src \
 && useradd --create-home --uid 10001 table \
 && install --directory --owner=table /games

USER 10001
VOLUME /games
EXPOSE 8000
STOPSIGNAL SIGINT
ENTRYPOINT ["sandtable", "serve", "--folder", "/games", "--listen", "0.0.0.0"]
