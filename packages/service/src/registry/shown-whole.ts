import { visibleLine } from '../lib/visible-text.ts'

const LONGEST_NAME = 100

/** Whether interfaces show a name of others as it is written, on one line. */
export const isShownWhole = (text: string): boolean =>
  text.length <= LONGEST_NAME && visibleLine(text) === text
