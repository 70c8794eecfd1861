// The panels next to the board as tabs; without script they are shown one below the other.

import { byId } from "./make.js";

export function listenToTabs(panels) {
  const tabs = [...document.querySelectorAll("[role=tab]")];
  const choose = (tab) => {
    for (const each of tabs) {
      const isChosen = each === tab;
      each.setAttribute("aria-selected", String(isChosen));
      each.tabIndex = isChosen ? 0 : -1;
      byId(each.getAttribute("aria-controls")).classList.toggle("chosen", isChosen);
    }
    if (tab.id === "tab-forces") panels.forces.refresh();
    if (tab.id === "tab-why" && panels.why.wanted !== undefined) panels.why.refresh();
  };
  for (const [place, tab] of tabs.entries()) {
    tab.addEventListener("click", () => choose(tab));
    tab.addEventListener("keydown", (event) => {
      const way = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (!way) return;
      event.preventDefault();
      const next = tabs[(place + way + tabs.length) % tabs.length];
      next.focus();
      choose(next);
    });
  }
  choose(tabs[0]);
}
