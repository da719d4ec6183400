/** What separates the words of a recovery phrase, also where a line break is written as an escape. */
const BETWEEN = String.raw`(?:[\s,+-]|\\{1,4}(?:[nrt]|u[0-9a-fA-F]{4}))+`
/** A Stellar secret seed, 32 bytes in hex with or without 0x, 64 bytes in base58, and a recovery phrase. */
const FORMS = [
  'S[A-Z2-7]{55}',
  '(?:0[xX])*(?=[0-9]*[a-fA-F])[0-9a-fA-F]{64}',
  '[1-9A-HJ-NP-Za-km-z]{84,88}',
  `[a-z]{3,8}(?:${BETWEEN}[a-z]{3,8}){11,}`,
]
/** Where a secret begins: at no letter or digit, behind an escape of JSON or of a URL, but not within one. */
const BEGINNINGS = [
  String.raw`(?<![A-Za-z0-9\\])`,
  String.raw`(?<=(?<!\\)(?:\\\\){1,8})`,
  String.raw`(?<=\\)(?![nrtbfu])`,
  // Whether the last of so many backslashes begins an escape is counted only where a secret follows.
  String.raw`(?<=\\{17})`,
  String.raw`(?<=\\(?:[nrtbf]|u[0-9a-fA-F]{4}))`,
  '(?<=%[0-9a-fA-F]{2})',
]
const SECRETS = new RegExp(`(?:${BEGINNINGS.join('|')})(?:${FORMS.join('|')})(?![A-Za-z0-9])`, 'g')
const HIDDEN = '(hidden: it looks like a private key, which must never be sent)'

const LONGEST_INPUT = 256

/** How many characters belong to the escape that the backslashes before an offset begin, if their number is odd. */
const escapeLength = (text: string, offset: number): number => {
  let start = offset
  while (text[start - 1] === '\\') start -= 1
  const first = text[offset] ?? ''
  return (offset - start) % 2 === 0 || !'nrtbfu'.includes(first) ? 0 : first === 'u' ? 5 : 1
}

/** The text with everything replaced that looks like a private key; transaction hashes have the same forms. */
export const hideSecrets = (text: string): string =>
  text.replace(
    SECRETS,
    (secret: string, offset: number) => secret.slice(0, escapeLength(text, offset)) + HIDDEN,
  )

/** The beginning of an input of any length, to be repeated in an error. */
export const excerpt = (text: string, maximumCharacters: number): string => {
  const shown = hideSecrets(text.slice(0, LONGEST_INPUT))
  return shown.length <= maximumCharacters ? shown : `${shown.slice(0, maximumCharacters)}…`
}
