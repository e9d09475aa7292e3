// Scrolls each drawing of a payment's states to the current one. The inspector's script does so again
// for the parts that it replaces.
globalThis.showCurrent = (root) => {
  for (const state of root.querySelectorAll('.state-lit')) {
    const scroller = state.closest('.scroller');
    const box = state.getBoundingClientRect();
    const frame = scroller.getBoundingClientRect();
    scroller.scrollLeft += (box.left + box.right - frame.left - frame.right) / 2;
  }
};
globalThis.showCurrent(document);
