import type { Quotes } from './protocol.ts'

type Login = { readonly service: string; readonly nonce: string; readonly address: string }

/**
 * The text a solver signs (EIP-191 personal_sign) to log in. The nonce is the challenge's, `address` is written as in
 * the message. Source: docs/solver-protocol.md "Login".
 */
export const loginText = ({ service, nonce, address }: Login): string =>
  ['OpenRFQ solver login, version 1', `service: ${service}`, `nonce: ${nonce}`, `address: ${address}`].join(
    '\n',
  )

/**
 * The text a solver signs (EIP-191 personal_sign) with its standing quotes: one line for each pair, one for each of its
 * rungs, no newline at the end. Source: docs/solver-protocol.md "Quotes".
 */
export const quotesText = (
  { service, nonce }: Omit<Login, 'address'>,
  { sequence, pairs }: Pick<Quotes, 'sequence' | 'pairs'>,
): string =>
  [
    'OpenRFQ solver quotes, version 1',
    `service: ${service}`,
    `nonce: ${nonce}`,
    `sequence: ${sequence}`,
    ...pairs.flatMap(({ fromChain, fromToken, toChain, toToken, validForMs, ladder }) => [
      `pair: ${fromChain} ${fromToken} ${toChain} ${toToken} ${validForMs}`,
      ...ladder.map(({ input, output, fee }) => `rung: ${input} ${output} ${fee}`),
    ]),
  ].join('\n')
