/** What separates the words of a recovery phrase, also where a line break is written as an escape. */
const BETWEEN = String.raw`(?:[\s,+-]|\\{1,4}(?:[nrt]|u[0-9a-fA-F]{4}))+`
/** A Stellar secret seed, 64 bytes in base58, and a recovery phrase. */
const FORMS = ['S[A-Z2-7]{55}', '[1-9A-HJ-NP-Za-km-z]{84,88}', `[a-z]{3,8}(?:${BETWEEN}[a-z]{3,8}){11,}`]
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
/** 32 bytes in hex with or without 0x, also behind a letter that is no digit of it. */
const HEX = String.raw`(?:${BEGINNINGS.join('|')}|(?<=(?<!\\)[g-zG-Z_]))(?:0[xX])*(?=[0-9]*[a-fA-F])[0-9a-fA-F]{64}(?![0-9a-fA-F])`
/** Not secrets, though of that form: a transaction hash with an index, and the details of that name in our errors. */
const HASHES = ['(?<!0x[0-9a-fA-F]{64}(?=-[0-9]))', '(?<!"txHash":"0x[0-9a-fA-F]{64})']
const SECRETS = new RegExp(
  `${HEX}${HASHES.join('')}|(?:${BEGINNINGS.join('|')})(?:${FORMS.join('|')})(?![A-Za-z0-9])`,
  'g',
)
const HIDDEN = '(hidden: it looks like a private key, which must never be sent)'

const LONGEST_INPUT = 512
/** The end of a cut input, which may be the beginning of a key. */
const CUT_WORD = /[A-Za-z0-9]{1,88}$/

/** How many characters belong to the escape that the backslashes before an offset begin, if their number is odd. */
const escapeLength = (text: string, offset: number): number => {
  let start = offset
  while (text[start - 1] === '\\') start -= 1
  const first = text[offset] ?? ''
  return (offset - start) % 2 === 0 || !'nrtbfu'.includes(first) ? 0 : first === 'u' ? 5 : 1
}

/** The text with everything replaced that looks like a private key; a transaction hash without an index has the same form. */
export const hideSecrets = (text: string): string =>
  text.replace(
    SECRETS,
    (secret: string, offset: number) => secret.slice(0, escapeLength(text, offset)) + HIDDEN,
  )

/** The beginning of an input of any length, to be repeated in an error. Secrets are hidden before it is cut. */
export const excerpt = (text: string, maximumCharacters: number): string => {
  const isCut = text.length > LONGEST_INPUT
  const shown = hideSecrets(isCut ? text.slice(0, LONGEST_INPUT).replace(CUT_WORD, '') : text)
  return shown.length <= maximumCharacters && !isCut ? shown : `${shown.slice(0, maximumCharacters)}…`
}

/** The excerpt in quotation marks, as JSON text. */
export const quote = (text: string, maximumCharacters: number): string =>
  JSON.stringify(excerpt(text, maximumCharacters))
