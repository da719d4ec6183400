import assert from 'node:assert/strict'
import { muxedAddress } from 'openrfq/src/chains/stellar/muxed-account.ts'
import { fetchJson } from 'openrfq/test/wallet.ts'

type Family = 'evm' | 'solana' | 'stellar'

/** One chain of each family with a token, an account, and the operator's vault or the escrow program if it has one. */
export type FamilyEnd = {
  readonly family: Family
  readonly chainId: string
  readonly token: string
  readonly account: string
  readonly vault: string | undefined
}

export type FamilyEnds = Readonly<Record<Family, FamilyEnd>>

type Described = {
  readonly chains: readonly {
    readonly chainId: string
    readonly chainType: Family
    readonly vault?: string
    readonly contracts?: { readonly escrowProgram?: string }
  }[]
  readonly accounts: readonly { readonly chainType: string; readonly address: string }[]
  readonly tokens: readonly { readonly chainId: string; readonly address: string; readonly symbol: string }[]
}

/** One chain per family of a sandbox, with its dollars and its first account. */
export const endsOf = ({ chains, accounts, tokens }: Described): FamilyEnds => {
  const endOf = (family: Family): FamilyEnd => {
    const chain = chains.find(({ chainType }) => chainType === family)
    const account = accounts.find(({ chainType }) => chainType === family)
    const token = tokens.find(({ chainId, symbol }) => chainId === chain?.chainId && /USDC/.test(symbol))
    assert.ok(chain && account && token)
    const { chainId, vault = chain.contracts?.escrowProgram } = chain
    return { family, chainId, vault, token: token.address, account: account.address }
  }
  return { evm: endOf('evm'), solana: endOf('solana'), stellar: endOf('stellar') }
}

/** Reads one chain per family from the sandbox. */
export const familyEnds = async (url: string): Promise<FamilyEnds> =>
  endsOf((await fetchJson<Described>(`${url}/sandbox`)).body)

/** Each family once as source and once as destination. */
export const pairsOf = ({
  evm,
  solana,
  stellar,
}: FamilyEnds): readonly (readonly [FamilyEnd, FamilyEnd])[] => [
  [evm, solana],
  [solana, stellar],
  [stellar, evm],
]

/** The body of a quote request for a million base units between two chains. */
export const bodyBetween = (from: FamilyEnd, to: FamilyEnd): Readonly<Record<string, string>> => ({
  fromChain: from.chainId,
  fromToken: from.token,
  toChain: to.chainId,
  toToken: to.token,
  amount: '100000000',
  orderType: 'EXACT_INPUT',
  sender: from.account,
  recipient: to.account,
})

/** Changes the case of the first letter, which breaks a checksum over it. */
const recased = (text: string): string =>
  text.replace(/[a-fA-F]/, (letter) =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
  )

/** Changes the last character. */
const misspelt = (text: string): string => `${text.slice(0, -1)}${text.endsWith('A') ? 'B' : 'A'}`

/** A secret without funds: the first example of SEP-23. */
const SECRET = 'SBU2RRGLXH3E5CQHTD3ODLDF2BWDCYUSSBLLZ5GNW7JXHDIYKXZWHOKR'

/** Texts that are not addresses of the family. */
const foreignTo = ({ evm, solana, stellar }: FamilyEnds, family: Family): readonly string[] => {
  const foreign = [evm, solana, stellar].filter((end) => end.family !== family)
  const others = foreign.flatMap(({ token, account }) => [token, account])
  if (family === 'evm')
    return [...others, evm.account.slice(0, -1), evm.account.slice(2), `0x${recased(evm.account.slice(2))}`]
  if (family === 'solana')
    return [...others, solana.account.slice(0, -3), `0${solana.account.slice(1)}`, `${solana.account}1`]
  return [
    ...others,
    misspelt(stellar.account),
    stellar.account.toLowerCase(),
    stellar.account.slice(0, -1),
    `USDC:${stellar.account}`,
    SECRET,
  ]
}

const ZERO: Readonly<Record<Family, readonly string[]>> = {
  evm: [`0x${'0'.repeat(40)}`],
  solana: ['1'.repeat(32)],
  stellar: [],
}

/** Well-formed addresses that must not be named as sender, or as recipient. */
const forbidden = ({ family, token, account, vault }: FamilyEnd, field: 'sender' | 'recipient') => {
  const own = vault === undefined ? [] : [vault]
  if (family !== 'stellar') return [...ZERO[family], token, ...own]
  if (field === 'sender') return [muxedAddress(account, 1n), token, ...own]
  return [token, ...own, ...own.map((address) => muxedAddress(address, 7n))]
}

/** Every invalid text for every position of a request between two chains. */
export const wrongAddresses = (
  ends: FamilyEnds,
  [from, to]: readonly [FamilyEnd, FamilyEnd],
): readonly { readonly field: string; readonly text: string; readonly end: FamilyEnd }[] => {
  const row = (field: string, end: FamilyEnd, texts: readonly string[]) =>
    [' ', ...foreignTo(ends, end.family), ...texts].map((text) => ({ field, text, end }))
  const accountAsToken = (end: FamilyEnd) => (end.family === 'stellar' ? [end.account] : [])
  return [
    ...row('fromToken', from, accountAsToken(from)),
    ...row('toToken', to, accountAsToken(to)),
    ...row('sender', from, forbidden(from, 'sender')),
    ...row('recipient', to, forbidden(to, 'recipient')),
  ]
}
