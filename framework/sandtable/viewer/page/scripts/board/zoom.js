// Zoom and pan: during a gesture the box of the two roots is transformed; at its end both get a new viewBox.

const MOST = 12, MARGIN = 300;

export class Zoom {
  constructor(frame, box, scenes) {
    this.frame = frame;
    this.box = box;
    this.scenes = scenes;
    this.listeners = [];
    this.pointers = new Map();
    this.whole = scenes[0].facts.box;
    this.now = [...this.whole];
    this.isWhole = true;
    this.listen();
    this.sized();
    this.fit();
    new ResizeObserver(() => this.resized()).observe(frame);
  }

  // The boxes get a size in pixels; without it, each page layout would lay out the maps again.
  sized() {
    for (const { box } of this.scenes) {
      const { clientWidth, clientHeight } = box.parentElement;
      box.style.width = `${clientWidth}px`;
      box.style.height = `${clientHeight}px`;
    }
  }

  changed(listener) {
    this.listeners.push(listener);
  }

  // The current screen pixels per unit of the map, and the position of the map.
  scale() {
    const { width, height } = this.frame.getBoundingClientRect();
    const [x, y, wide, high] = this.now;
    const scale = Math.min(width / wide, height / high) || 1;
    return { scale, left: x - (width / scale - wide) / 2, top: y - (height / scale - high) / 2 };
  }

  pointAt(clientX, clientY) {
    const rect = this.frame.getBoundingClientRect(), { scale, left, top } = this.scale();
    return [left + (clientX - rect.left) / scale, top + (clientY - rect.top) / scale];
  }

  // The visible part of the map when all of it is shown.
  fitted() {
    const [left, top, wide, high] = this.whole, { width, height } = this.frame.getBoundingClientRect();
    const scale = Math.min(width / wide, height / high) || 1;
    return [left - (width / scale - wide) / 2, top - (height / scale - high) / 2, width / scale, height / scale];
  }

  // The view takes the shape of the frame, and stays within the map.
  set(view) {
    const fitted = this.fitted(), [left, top, wide, high] = this.whole;
    if (view[2] > fitted[2] * 0.98) this.now = fitted;
    else {
      const width = Math.max(fitted[2] / MOST, view[2]), height = (width * fitted[3]) / fitted[2];
      const within = (at, start, room, all) => (room > all ? start - (room - all) / 2 : Math.max(start, Math.min(at, start + all - room)));
      const middle = view[1] + view[3] / 2 - height / 2;
      this.now = [within(view[0], left, width, wide), within(middle, top, height, high), width, height];
    }
    this.isWhole = this.now === fitted;
    this.show();
    this.listeners.forEach((listener) => listener());
  }

  // A printed page shows the area with counters, or the whole map if there are none.
  print(isPrinted) {
    this.printed = isPrinted ? this.around() : null;
    this.show();
  }

  around() {
    const [{ facts }] = this.scenes, [left, top, wide, high] = this.whole;
    const points = this.scenes.flatMap((scene) => scene.counters()).map(({ place }) => facts.places[place]).filter(Boolean);
    if (!points.length) return this.whole;
    const [across, down] = [0, 1].map((axis) => points.map((point) => point[axis])).map((list) => [Math.min(...list), Math.max(...list)]);
    const x = Math.max(left, across[0] - MARGIN), y = Math.max(top, down[0] - MARGIN);
    return [x, y, Math.min(left + wide, across[1] + MARGIN) - x, Math.min(top + high, down[1] + MARGIN) - y];
  }

  show() {
    const text = (this.printed || this.now).map((each) => Math.round(each * 10) / 10).join(" ");
    for (const scene of this.scenes) {
      scene.ground.setAttribute("viewBox", text);
      scene.live.setAttribute("viewBox", text);
    }
  }

  fit() {
    this.set(this.fitted());
  }

  // Show the map in its full width, from the top.
  top() {
    const [left, top, wide] = this.whole, fitted = this.fitted();
    this.set([left, top, wide, (wide * fitted[3]) / fitted[2]]);
  }

  // After a change of the frame's size, the map is fitted again or keeps its position.
  resized() {
    const { width, height } = this.frame.getBoundingClientRect(), shape = `${width} ${height}`;
    if (shape === this.shape) return;
    this.shape = shape;
    this.sized();
    if (this.isWhole) this.fit();
    else this.set(this.now);
  }

  by(factor, at) {
    const [x, y, width, height] = this.now;
    const [ax, ay] = at || [x + width / 2, y + height / 2];
    const wide = Math.max(this.fitted()[2] / MOST, width / factor);
    const share = wide / width;
    this.set([ax - (ax - x) * share, ay - (ay - y) * share, wide, height * share]);
  }

  pan(across, down) {
    const [x, y, width, height] = this.now;
    this.set([x + width * across, y + height * down, width, height]);
  }

  // Move points of the map into view if they are outside it.
  follow(points) {
    if (this.isWhole || !points.length) return;
    const [x, y, width, height] = this.now;
    const outside = points.some(([px, py]) => px < x + width * 0.08 || px > x + width * 0.92 || py < y + height * 0.08 || py > y + height * 0.92);
    if (!outside) return;
    const middle = (axis) => (Math.min(...points.map((p) => p[axis])) + Math.max(...points.map((p) => p[axis]))) / 2;
    this.set([middle(0) - width / 2, middle(1) - height / 2, width, height]);
  }

  // --- gestures ---

  listen() {
    const { frame } = this;
    frame.addEventListener("wheel", (event) => {
      if (!event.ctrlKey && document.activeElement !== frame) return;
      event.preventDefault();
      this.by(event.deltaY < 0 ? 1.25 : 0.8, this.pointAt(event.clientX, event.clientY));
    }, { passive: false });
    frame.addEventListener("pointerdown", (event) => this.down(event));
    frame.addEventListener("pointermove", (event) => this.moved(event));
    for (const name of ["pointerup", "pointercancel"]) frame.addEventListener(name, (event) => this.up(event));
    frame.addEventListener("dblclick", (event) => this.by(1.8, this.pointAt(event.clientX, event.clientY)));
  }

  down(event) {
    if (event.button) return;
    this.pointers.set(event.pointerId, [event.clientX, event.clientY]);
    this.gesture = { start: new Map(this.pointers), dx: 0, dy: 0, zoom: 1 };
  }

  moved(event) {
    if (!this.pointers.has(event.pointerId)) return;
    this.pointers.set(event.pointerId, [event.clientX, event.clientY]);
    const before = [...this.gesture.start.values()], now = [...this.pointers.values()];
    const middle = (list, axis) => list.reduce((sum, point) => sum + point[axis], 0) / list.length;
    this.gesture.dx = middle(now, 0) - middle(before, 0);
    this.gesture.dy = middle(now, 1) - middle(before, 1);
    if (now.length === 2) {
      const apart = ([a, b]) => Math.hypot(a[0] - b[0], a[1] - b[1]) || 1;
      this.gesture.zoom = apart(now) / apart(before);
    } else if (this.isWhole) return;
    if (Math.hypot(this.gesture.dx, this.gesture.dy) < 4 && this.gesture.zoom === 1) return;
    if (!this.gesture.live) this.frame.setPointerCapture(event.pointerId);
    this.gesture.live = true;
    this.box.classList.add("moving");
    this.box.style.transform = `translate(${this.gesture.dx}px, ${this.gesture.dy}px) scale(${this.gesture.zoom})`;
  }

  up(event) {
    if (!this.pointers.delete(event.pointerId)) return;
    const { gesture } = this;
    if (gesture && gesture.live) {
      this.box.classList.remove("moving");
      this.box.style.transform = "";
      const { scale } = this.scale(), [x, y, width, height] = this.now;
      const moved = [x - gesture.dx / scale, y - gesture.dy / scale, width, height];
      this.set(moved);
      if (gesture.zoom !== 1) this.by(gesture.zoom);
      this.dragged = true;
      setTimeout(() => { this.dragged = false; }, 0);
    }
    if (this.pointers.size) this.gesture = { start: new Map(this.pointers), dx: 0, dy: 0, zoom: 1 };
    else this.gesture = null;
  }
}
