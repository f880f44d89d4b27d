"""What a person does on a page with the mouse."""


def slider(page, name):
    """The slider with this name."""
    return page.locator(".widget-slider", has=page.get_by_text(name, exact=True))


def drag(page, slider, by, steps=10):
    """Take the handle of a slider, move it by so many pixels in some steps, and let go.

    Done when the slider shows another number.
    """
    handle, number = slider.locator(".noUi-handle"), slider.locator(".widget-readout")
    before = number.inner_text()
    for _ in range(3):
        x, y = middle_when_still(page, handle)
        page.mouse.move(x, y)
        page.mouse.down()
        page.mouse.move(x + by, y, steps=steps)
        page.mouse.up()
        if number.inner_text() != before:  # else the page moved on under the mouse
            return
    raise AssertionError(f"dragging by {by} pixels leaves the slider at {before}")


def middle_when_still(page, part):
    """The middle of a part in view, as soon as it stays where it is and nothing covers it."""
    part.scroll_into_view_if_needed()
    return part.evaluate(
        """async part => {
            const give_up = Date.now() + 10000;
            let last = "", still = 0;
            while (Date.now() < give_up) {
                const box = part.getBoundingClientRect();
                const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
                still = last === `${x} ${y}` ? still + 1 : 0;
                last = `${x} ${y}`;
                if (still >= 5 && part.contains(document.elementFromPoint(x, y))) return [x, y];
                await new Promise(requestAnimationFrame);
            }
            throw new Error("the page does not come to rest");
        }"""
    )
