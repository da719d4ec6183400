import encodeQR from 'qr'

/** Width of the quiet zone around the code, which scanners need. Source: ISO/IEC 18004. */
const QUIET_MODULES = 4

/**
 * Renders a text as a QR code of half blocks, two rows of modules per line; light modules are drawn and dark ones
 * blank, so it needs a dark background. All lines have the same width. Source: ISO/IEC 18004.
 */
export const qrLines = (text: string): readonly string[] => {
  const rows = encodeQR(text, 'raw', { ecc: 'low', border: QUIET_MODULES })
  const lines: string[] = []
  for (let top = 0; top < rows.length; top += 2)
    lines.push(
      (rows[top] ?? []).map((dark, column) => block(!dark, rows[top + 1]?.[column] === false)).join(''),
    )
  return lines
}

const block = (isTopLight: boolean, isBottomLight: boolean): string => {
  if (isTopLight) return isBottomLight ? '█' : '▀'
  return isBottomLight ? '▄' : ' '
}
