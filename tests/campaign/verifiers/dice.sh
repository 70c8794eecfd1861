# The dice of labels, one "KEY LABEL COUNT SIDES" a line, by openssl; from section 5 of replays/README.md alone.
while read -r key label count sides; do
  limit=$((4294967296 - 4294967296 % sides)) block=0 dice="" found=0
  while [ "$found" -lt "$count" ]; do
    message=$label
    [ "$block" -gt 0 ] && message="$label#$block"
    digest=$(printf '%s' "$message" | openssl dgst -sha256 -mac HMAC -macopt "hexkey:$key")
    digest=${digest##* }
    while [ -n "$digest" ] && [ "$found" -lt "$count" ]; do
      rest=${digest#????????}
      word=$((0x${digest%"$rest"}))
      digest=$rest
      if [ "$word" -lt "$limit" ]; then dice="$dice $((word % sides + 1))" found=$((found + 1)); fi
    done
    block=$((block + 1))
  done
  echo "${dice# }"
done
