"use strict";
// What is wider than its place can be scrolled by the keyboard: it can have the focus, as long as it is wider.
(() => {
  const wide = document.querySelectorAll(".highlight pre, .table-wrapper, .cell_output .output");
  const look = new ResizeObserver((changed) => {
    for (const { target } of changed) {
      if (target.scrollWidth > target.clientWidth) {
        target.tabIndex = 0;
      } else {
        target.removeAttribute("tabindex");
      }
    }
  });
  wide.forEach((part) => look.observe(part));
})();
