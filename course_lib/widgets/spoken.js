// Sliders of ipywidgets have no name that a screen reader could say: they get their label's.

function nameSliders() {
  for (const slider of document.querySelectorAll(".widget-slider")) {
    const name = slider.querySelector(".widget-label")?.textContent;
    for (const part of slider.querySelectorAll(".noUi-handle, .widget-readout")) {
      if (name && part.getAttribute("aria-label") !== name) part.setAttribute("aria-label", name);
    }
    slider.querySelector(".widget-readout")?.setAttribute("role", "textbox");
  }
}

function render({ el }) {
  el.style.display = "none";
  let waiting = null;
  const soon = () => {
    waiting ??= requestAnimationFrame(() => {
      waiting = null;
      nameSliders();
    });
  };
  const observer = new MutationObserver(soon); // sliders come and go with what is chosen
  observer.observe(document.body, { childList: true, subtree: true });
  soon();
  return () => {
    observer.disconnect();
    cancelAnimationFrame(waiting);
  };
}

export default { render };
