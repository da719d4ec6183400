import type { Token } from './token.ts'

/** A token by chain and canonical address. */
export type TokenId = Pick<Token, 'chainId' | 'address'>

/** A map with tokens as keys, identified by chain and canonical address. */
export type TokenMap<Value> = {
  readonly get: (token: TokenId) => Value | undefined
  readonly set: (token: TokenId, value: Value) => void
  readonly values: () => readonly Value[]
}

/** Creates an empty map. A lookup concatenates no text. */
export const createTokenMap = <Value>(): TokenMap<Value> => {
  const chains = new Map<string, Map<string, Value>>()
  return {
    get: ({ chainId, address }) => chains.get(chainId)?.get(address),
    set: ({ chainId, address }, value) => {
      const known = chains.get(chainId) ?? new Map<string, Value>()
      chains.set(chainId, known.set(address, value))
    },
    values: () => [...chains.values()].flatMap((known) => [...known.values()]),
  }
}
