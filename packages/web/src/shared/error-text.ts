/** What browsers say when a part of a page cannot be loaded. */
const PART_IS_GONE = /dynamically imported module|importing a module script failed/i

/** What the page says of an error that is its own: after an upgrade of the service the parts of an open page are gone. */
export const errorText = (error: unknown): string => {
  const message = error instanceof Error ? error.message : String(error)
  return PART_IS_GONE.test(message)
    ? 'A part of this page cannot be loaded; the service may have been upgraded. Load the page again.'
    : message
}
