import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'

/** More than any page has to step through. */
const MOST_STEPS = 80

/** What a screen reader calls the element with the focus, or its text. */
const FOCUSED_NAME = `(() => {
  const { activeElement: element } = document
  const [label] = element?.labels ?? []
  return (element?.getAttribute('aria-label') ?? label?.textContent ?? element?.textContent ?? '').trim()
})()`

/** Whether a person sees where the focus is: by an outline of the element, or of the label around it. */
const IS_SEEN = `(() => {
  const { activeElement: element } = document
  const marked = [element, ...(element?.labels ?? [])].filter((one) => one !== null)
  return marked.some((one) => {
    const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(one)
    return (outlineStyle !== 'none' && outlineWidth !== '0px') || boxShadow !== 'none'
  })
})()`

/** Presses Tab until the element of a name has the focus, which every element on the way shows. Fails when none has the name. */
export const tabTo = async (page: Page, name: RegExp): Promise<void> => {
  const passed: string[] = []
  for (let step = 0; step < MOST_STEPS; step++) {
    await page.keyboard.press('Tab')
    const focused = String(await page.evaluate(FOCUSED_NAME))
    passed.push(focused)
    if (focused !== '')
      assert.equal(await page.evaluate(IS_SEEN), true, `the focus on "${focused}" is not seen`)
    if (name.test(focused)) return
  }
  assert.fail(`no ${name} among ${JSON.stringify(passed)}`)
}
