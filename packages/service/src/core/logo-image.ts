import { isUtf8 } from 'node:buffer'

/** A picture that is safe to show: its media type comes from its bytes, not from its name or its server. */
export type LogoImage = {
  readonly type: 'image/png' | 'image/webp' | 'image/svg+xml'
  readonly bytes: Buffer
}

/** Of either side, in pixels: a small file may unpack into a picture that fills a browser's memory. */
const MOST_PIXELS = 2048

const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

const isSmall = (...sides: readonly number[]): boolean =>
  sides.every((side) => side >= 1 && side <= MOST_PIXELS)

const isPng = (bytes: Buffer): boolean =>
  bytes.length >= 33 &&
  bytes.subarray(0, 8).equals(PNG) &&
  bytes.toString('latin1', 12, 16) === 'IHDR' &&
  isSmall(bytes.readUInt32BE(16), bytes.readUInt32BE(20))

const LOW_14_BITS = 0x3fff

/** By the three kinds of its first chunk. Source: RFC 9649. */
const isWebp = (bytes: Buffer): boolean => {
  if (bytes.length < 30 || bytes.toString('latin1', 0, 4) !== 'RIFF') return false
  switch (bytes.toString('latin1', 8, 16)) {
    case 'WEBPVP8X':
      return isSmall(bytes.readUIntLE(24, 3) + 1, bytes.readUIntLE(27, 3) + 1)
    case 'WEBPVP8L': {
      const sides = bytes.readUInt32LE(21)
      return isSmall((sides & LOW_14_BITS) + 1, ((sides >>> 14) & LOW_14_BITS) + 1)
    }
    case 'WEBPVP8 ':
      return isSmall(bytes.readUInt16LE(26) & LOW_14_BITS, bytes.readUInt16LE(28) & LOW_14_BITS)
    default:
      return false
  }
}

/** Without an internal subset, which could define entities; browsers read no external one. */
const DOCTYPE = /<!DOCTYPE svg(?: (?:PUBLIC|SYSTEM)(?: "[^"<>]*"){1,2})? ?>/y
const XML_DECLARATION = / ?<\?xml[^<>]*\?>/y
const SVG_BEGIN = /<svg[ >]/y

const endOf = (pattern: RegExp, text: string, from: number): number => {
  pattern.lastIndex = from
  return pattern.test(text) ? pattern.lastIndex : from
}

/** Where spaces and comments end. */
const afterComments = (text: string, from: number): number => {
  let at = from
  for (;;) {
    if (text[at] === ' ') at += 1
    if (!text.startsWith('<!--', at)) return at
    const end = text.indexOf('-->', at + 4)
    if (end < 0) return at
    at = end + 3
  }
}

/** Where the element `svg` begins, after what may stand before it; undefined for anything else. */
const svgStart = (text: string): number | undefined => {
  const declared = afterComments(text, endOf(XML_DECLARATION, text, 0))
  const at = afterComments(text, endOf(DOCTYPE, text, declared))
  return endOf(SVG_BEGIN, text, at) === at ? undefined : at
}

/** What runs, loads or animates, or lets another name stand for it. */
const SVG_FORBIDDEN =
  /<!(doctype|entity|\[cdata\[)|<\s*\/?\s*([\w-]+:)?(script|foreignobject|iframe|embed|object|audio|video|a|animate\w*|set|handler|listener|link|meta|feimage)[\s/>]|[\s"'/]on[a-z]+\s*=|javascript:|@import|expression\s*\(|-moz-binding|xml:base|\\|<\?(?!xml\s)/i
const SVG_LINK = /(?:href|src)\s*=\s*(["']?)([^"'\s>]*)/gi
const SVG_URL = /url\s*\(\s*(?:["']|&quot;|&#\w+;)?\s*([^"')\s]*)/gi
const OWN_OR_DATA = /^(#|data:image\/(png|jpeg|webp);base64,)/

/**
 * Whether a picture draws itself alone. What a browser might read differently is refused rather than cleaned: a cleaner
 * would have to understand all that browsers do.
 */
const isPlainSvg = (bytes: Buffer): boolean => {
  if (!isUtf8(bytes)) return false
  // One space for each run of them: patterns with several optional runs take cubic time on long ones.
  const whole = bytes.toString().replace(/\s+/g, ' ')
  const start = svgStart(whole)
  if (start === undefined) return false
  const text = whole.slice(start)
  if (SVG_FORBIDDEN.test(text)) return false
  const links = [...text.matchAll(SVG_LINK)].map(([, , target = '']) => target)
  const urls = [...text.matchAll(SVG_URL)].map(([, target = '']) => target)
  return [...links, ...urls].every((target) => OWN_OR_DATA.test(target))
}

/** The bytes as a logo, or undefined for what is no PNG, WebP or SVG, is too large, or could run or load something. */
export const logoImage = (bytes: Buffer): LogoImage | undefined => {
  if (isPng(bytes)) return { type: 'image/png', bytes }
  if (isWebp(bytes)) return { type: 'image/webp', bytes }
  return isPlainSvg(bytes) ? { type: 'image/svg+xml', bytes } : undefined
}
