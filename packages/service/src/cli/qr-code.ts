import encodeQR from 'qr'

/** Modules of light around the code, without which scanners do not find it. Source: ISO/IEC 18004. */
const QUIET_MODULES = 4

/**
 * A text as a QR code of half blocks, two rows of modules on a line; light modules are drawn and dark ones left blank, so it
 * belongs on a dark ground. All lines are of one width. Source: ISO/IEC 18004.
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
