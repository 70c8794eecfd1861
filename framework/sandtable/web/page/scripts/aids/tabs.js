// The tabs beside the map: one is in the order of focus, arrow keys lead to the others.

import { byId } from "/s/viewer/scripts/page/make.js";

export function openTab(name) {
  for (const each of document.querySelectorAll("[data-tab]")) {
    const isChosen = each.dataset.tab === name;
    each.setAttribute("aria-selected", String(isChosen));
    each.tabIndex = isChosen ? 0 : -1;
    byId(each.dataset.tab).hidden = !isChosen;
  }
}

export function listenToTabs() {
  const tabs = [...document.querySelectorAll("[data-tab]")];
  for (const tab of tabs) {
    const panel = byId(tab.dataset.tab);
    tab.id ||= `tab-${tab.dataset.tab}`;
    tab.setAttribute("aria-controls", panel.id);
    panel.setAttribute("role", "tabpanel");
    panel.setAttribute("aria-labelledby", tab.id);
    tab.addEventListener("click", () => openTab(tab.dataset.tab));
    tab.addEventListener("keydown", (event) => {
      const way = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
      if (!way) return;
      const shown = tabs.filter((each) => !each.hidden), next = shown[(shown.indexOf(tab) + way + shown.length) % shown.length];
      openTab(next.dataset.tab);
      next.focus();
      event.preventDefault();
      event.stopPropagation();
    });
  }
  openTab(tabs[0].dataset.tab);
}
