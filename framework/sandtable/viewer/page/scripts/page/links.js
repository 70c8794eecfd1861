// Deep links: #record=306&side=axis, or #r306 as at a table. A jump adds one entry to the history, a step none.

export function readLink(views, last) {
  const found = new URLSearchParams(location.hash.slice(1).replace(/^r(\d+)$/, "record=$1")), answer = { record: null, view: null, problem: "" };
  const number = found.get("record");
  if (number !== null) {
    const wanted = /^\d{1,9}$/.test(number) ? Number(number) : NaN;
    answer.record = Number.isNaN(wanted) ? 0 : Math.min(wanted, last);
    if (answer.record !== wanted) answer.problem = `There is no record ${number.slice(0, 20)}: this is record ${answer.record} of ${last}.`;
  }
  const side = found.get("side");
  if (side !== null) {
    const place = views.findIndex((each) => each.viewer === side);
    if (place >= 0) answer.view = place;
    else answer.problem = `This page does not show what ${side.slice(0, 30)} saw.`;
  }
  return answer;
}

export function linkTo(record, view) {
  return `#record=${record}${view.isWhole ? "" : `&side=${encodeURIComponent(view.viewer)}`}`;
}

const REST = 200;
let waiting = null, isEntry = false;

// Write the current position into the address after a pause, unless the frame forbids it.
export function writeLink(record, view, isJump) {
  isEntry = isEntry || isJump;
  clearTimeout(waiting);
  waiting = setTimeout(() => {
    const link = linkTo(record, view);
    try {
      if (location.hash !== link) history[isEntry ? "pushState" : "replaceState"](null, "", link);
    } catch { /* sandboxed */ }
    isEntry = false;
  }, REST);
}

// Another link was followed, so the pending position is outdated.
export function forgetLink() {
  clearTimeout(waiting);
  isEntry = false;
}
