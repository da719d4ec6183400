/** Controls but tab and line feed, and the marks that reorder or hide text. */
const UNSEEN = /(?![\t\n])[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu
/** Tabs and ends of lines. */
const BREAKS = /[\t\n]+/g

/** A text of others without what a terminal obeys or does not show; lines and tabs stay. */
export const visibleText = (text: string): string => text.replaceAll(UNSEEN, '')

/** A text of others as one visible line. */
export const visibleLine = (text: string): string => visibleText(text.replaceAll(BREAKS, ' '))
