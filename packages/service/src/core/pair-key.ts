import { keepTexts } from './kept-texts.ts'

/** Keys of two parts, joined by a space; the same two parts give the very same text. */
export const createPairKeys = (): ((one: string, other: string) => string) =>
  keepTexts((one, other) => `${one} ${other}`)
