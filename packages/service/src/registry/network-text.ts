import type { NetworkFile } from './sync-network.ts'

/** A network file as text, with one line for each token, so that a comparison shows tokens. */
export const networkText = ({ chains, tokens, axelar }: NetworkFile): string => {
  const indented = (value: unknown): string => JSON.stringify(value, null, 2).replaceAll('\n', '\n  ')
  const lines = tokens.map((token) => `    ${JSON.stringify(token)}`)
  return `{\n  "chains": ${indented(chains)},\n  "tokens": [\n${lines.join(',\n')}\n  ],\n  "axelar": ${indented(axelar)}\n}\n`
}
