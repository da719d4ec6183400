/** A Stellar secret seed, 32 bytes in hex with or without 0x, 64 bytes in base58, and a recovery phrase. */
const FORMS = [
  'S[A-Z2-7]{55}',
  '(?:0x)?(?=[0-9]*[a-fA-F])[0-9a-fA-F]{64}',
  '[1-9A-HJ-NP-Za-km-z]{84,88}',
  '[a-z]{3,8}(?:[ +,]+[a-z]{3,8}){11,}',
]
const SECRETS = new RegExp(`(?<![A-Za-z0-9])(?:${FORMS.join('|')})(?![A-Za-z0-9])`, 'g')
const HIDDEN = '(hidden: it looks like a private key, which must never be sent)'

const LONGEST_INPUT = 256

/** The text with everything replaced that looks like a private key; transaction hashes have the same forms. */
export const hideSecrets = (text: string): string => text.replace(SECRETS, HIDDEN)

/** The beginning of an input of any length, to be repeated in an error. */
export const excerpt = (text: string, maximumCharacters: number): string => {
  const shown = hideSecrets(text.slice(0, LONGEST_INPUT))
  return shown.length <= maximumCharacters ? shown : `${shown.slice(0, maximumCharacters)}…`
}
