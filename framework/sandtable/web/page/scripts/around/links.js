// Links to records, written #r120: in the address, the talk and the story.

const LINK = /#r(\d{1,7})\b/g;

// The record that an address names after its #, as here or as in a replay page, or null.
export function recordIn(hash) {
  const found = /^#(?:r|record=)(\d{1,7})$/.exec(hash);
  return found ? Number(found[1]) : null;
}

export const recordLink = (number) => `#r${number}`;

// A text as nodes, in which each #r120 is a link.
export function withLinks(text) {
  const nodes = [];
  let from = 0;
  for (const found of text.matchAll(LINK)) {
    nodes.push(text.slice(from, found.index), linkTo(found[1]));
    from = found.index + found[0].length;
  }
  return [...nodes, text.slice(from)].filter(Boolean);
}

export function linkTo(number) {
  const link = document.createElement("a");
  Object.assign(link, { href: recordLink(number), className: "record", textContent: recordLink(number), title: "Show this record on the board" });
  return link;
}
