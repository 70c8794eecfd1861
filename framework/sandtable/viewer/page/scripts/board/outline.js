// The outlines of sets of hexes as path data: the sides between a hex of the set and one outside it.

export class Outliner {
  constructor({ places, sides, corners }) {
    this.places = places;
    this.sides = sides;
    this.corners = corners;
    this.byPoint = new Map(Object.entries(places).map(([hex, [x, y]]) => [`${x},${y}`, hex]));
  }

  neighbor(hex, side) {
    const [x, y] = this.places[hex], [across, down] = this.sides[side];
    return this.byPoint.get(`${x + 2 * across},${y + 2 * down}`) || "";
  }

  corner(hex, number) {
    const [x, y] = this.places[hex], [across, down] = this.corners[(number + 6) % 6];
    return `${x + across} ${y + down}`;
  }

  hexPath(hex) {
    return `M${[0, 1, 2, 3, 4, 5].map((number) => this.corner(hex, number)).join("L")}Z`;
  }

  // At most one border passes each corner of a hex grid, so sides are chained by their starting points.
  path(hexes) {
    const within = new Set(hexes), next = new Map();
    for (const hex of within) {
      if (!this.places[hex]) continue;
      for (let side = 0; side < 6; side++)
        if (!within.has(this.neighbor(hex, side))) next.set(this.corner(hex, side - 1), this.corner(hex, side));
    }
    let drawn = "";
    while (next.size) {
      const [start] = next.keys();
      const points = [];
      for (let at = start; next.has(at);) {
        points.push(at);
        const onward = next.get(at);
        next.delete(at);
        at = onward;
      }
      drawn += `M${points.join("L")}Z`;
    }
    return drawn;
  }
}
