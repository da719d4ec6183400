import type { Chain, ListedToken } from '@openrfq/sdk'
import { useState } from 'react'

/** Where the service answers, as seen from the built files, which lie in `<base>/assets`. */
const BASE = new URL('..', import.meta.url).href

/** The service's own copy of a chain's logo; undefined where the network file names none. */
export const chainLogo = (chain: Pick<Chain, 'chainId' | 'logoUrl'> | undefined): string | undefined =>
  chain?.logoUrl === undefined ? undefined : `${BASE}logos/${encodeURIComponent(chain.chainId)}`

/** The service's own copy of a token's logo; undefined where the network file names none. */
export const tokenLogo = (
  token: Pick<ListedToken, 'chainId' | 'address' | 'logoUrl'> | undefined,
): string | undefined =>
  token?.logoUrl === undefined
    ? undefined
    : `${BASE}logos/${encodeURIComponent(token.chainId)}/${encodeURIComponent(token.address)}`

const LETTERS = { token: 4, chain: 1 } as const

/** A logo once it has come; until then and without one the first letters of the name. */
export const Emblem = ({
  of,
  name,
  logo,
}: {
  readonly of: 'token' | 'chain'
  readonly name: string
  readonly logo: string | undefined
}) => {
  const [come, setCome] = useState<string>()
  const hasCome = logo !== undefined && come === logo
  return (
    <span className={`emblem ${of}`} aria-hidden="true">
      {logo === undefined ? null : (
        <img key={logo} src={logo} alt="" hidden={!hasCome} onLoad={() => setCome(logo)} />
      )}
      {hasCome ? null : [...name].slice(0, LETTERS[of]).join('') || '?'}
    </span>
  )
}
