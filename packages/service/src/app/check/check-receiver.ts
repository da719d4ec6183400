import { MINT_DECIMALS_AT, mints } from '../../backends/its/solana-states.ts'
import { isMinted } from '../../backends/its/state.ts'
import { canMint, contractAnswer, isUnnamedAsset } from '../../backends/its/stellar-states.ts'
import type { ChainAccount, ContractChain, PaymentChain, ProgramChain } from '../../chains/payment-chain.ts'
import { programOf } from '../../chains/solana/programs.ts'
import { readScVal } from '../../chains/stellar/sc-val.ts'
import { tokenIdsOf } from '../../core/interchain-token.ts'
import type { Network, NetworkChain, NetworkToken } from '../../core/network.ts'
import { itsPlaces, parseItsRoot, parseSolanaManager } from '../../protocols/axelar/its-solana.ts'
import {
  chainArgument,
  isAddressResult,
  managerTypeResult,
  tokenIdArgument,
} from '../../protocols/axelar/its-stellar.ts'
import { partnersOf } from './check-contracts.ts'
import { doubtful, type Finding, fine, wrong } from './finding.ts'

type Receiver = NonNullable<NetworkChain['tokenReceiver']>
type Moved = { readonly token: NetworkToken; readonly tokenId: string }
type Place = {
  readonly chain: NetworkChain
  readonly network: Network
  readonly receiver: Receiver
  readonly moved: readonly Moved[]
}

const serviceOf = ({ chainId }: NetworkChain): string => `chain ${chainId} tokenReceiver`
const tokenSubject = ({ symbol, address, chainId }: NetworkToken): string =>
  `token ${symbol} ${address} on ${chainId}`

/** What a token service says of itself and of the chains that share a token with this one. */
const trustFindings = (
  { chain }: Place,
  isPaused: boolean,
  names: readonly string[],
  trusted: readonly string[],
): readonly Finding[] => {
  const untrusted = names.filter((name) => !trusted.includes(name))
  return [
    ...(isPaused ? [wrong(serviceOf(chain), 'its is paused: nothing is quoted to it')] : []),
    untrusted.length === 0
      ? fine(serviceOf(chain), `its trusts ${names.length} chains`)
      : wrong(
          serviceOf(chain),
          `its does not trust ${untrusted.join(', ')}: correct axelar.name there; its is not quoted`,
        ),
  ]
}

const decimalsFinding = (token: NetworkToken, told: number): readonly Finding[] =>
  told === token.decimals
    ? []
    : [
        wrong(
          tokenSubject(token),
          `decimals: it has ${told}, not ${token.decimals}; correct the file, it is not quoted`,
        ),
      ]

const NOT_GIVEN =
  'its: its manager has no right to mint it, so that nothing is quoted to it until its issuer gives that back'

const solanaToken = (
  { token, tokenId }: Moved,
  { its, manager: address }: { readonly its: string; readonly manager: string },
  [managed, mint]: readonly (ChainAccount | undefined)[],
): readonly Finding[] => {
  const subject = tokenSubject(token)
  const manager = managed?.owner === its ? parseSolanaManager(managed.data) : undefined
  const isMint = mint?.owner === programOf(token)
  return [
    ...(isMint
      ? decimalsFinding(token, mint.data[MINT_DECIMALS_AT] ?? 0)
      : [wrong(subject, `it is no mint of ${programOf(token)}: correct the address or splProgram`)]),
    ...(manager !== undefined && manager.tokenId === tokenId.toLowerCase() && manager.mint === token.address
      ? []
      : [wrong(subject, `its.tokenId: its manager has ${manager?.mint ?? 'no such token'}; correct it`)]),
    ...(isMint && manager !== undefined && isMinted(manager.type) && !mints(mint.data, address)
      ? [doubtful(subject, NOT_GIVEN)]
      : []),
  ]
}

const checkSolana = async (programs: ProgramChain, place: Place): Promise<readonly Finding[]> => {
  const { chain, network, receiver, moved } = place
  const { its, gateway, gasService } = receiver
  const places = moved.map(({ tokenId }) => itsPlaces(its, tokenId))
  const { root } = itsPlaces(its, `0x${'00'.repeat(32)}`)
  const named = [
    ['gateway', gateway],
    ['its', its],
    ...(gasService === undefined ? [] : [['gasService', gasService] as const]),
  ] as const
  const read = await programs.seenAccounts<{ readonly account: ChainAccount }>({
    addresses: [
      root,
      ...named.map(([, address]) => address),
      ...moved.flatMap(({ token }, index) => [places[index]?.manager ?? root, token.address]),
    ],
    viewOf: (account) => ({ account }),
  })
  const [state, ...rest] = read.map(({ account }) => account)
  const missing = named.filter((_, index) => (rest[index] ?? null) === null)
  const service = state?.owner === its ? parseItsRoot(state.data) : undefined
  const hub = network.axelar?.hubAddress
  const tokens = rest.slice(named.length)
  return [
    ...missing.map(([member, address]) =>
      wrong(serviceOf(chain), `${member}: ${address} is no program of this chain; correct the address`),
    ),
    ...(service === undefined
      ? [wrong(serviceOf(chain), `its: ${its} keeps no state of a token service; correct the address`)]
      : trustFindings(place, service.isPaused, partnersOf(place), service.trusted)),
    ...(service !== undefined && hub !== undefined && service.hubAddress !== hub
      ? [
          wrong(
            serviceOf(chain),
            `its has the hub ${service.hubAddress}, not ${hub}: correct axelar.hubAddress`,
          ),
        ]
      : []),
    ...moved.flatMap((one, index) =>
      solanaToken(
        one,
        { its, manager: places[index]?.manager ?? root },
        tokens.slice(index * 2, index * 2 + 2),
      ),
    ),
  ]
}

const stellarToken = async (
  contracts: ContractChain,
  { chain, receiver }: Place,
  { token, tokenId }: Moved,
): Promise<readonly Finding[]> => {
  const subject = tokenSubject(token)
  const id = tokenIdArgument(tokenId)
  const registered = await contractAnswer(contracts, receiver.its, 'registered_token_address', id)
  const decimals = readScVal((await contractAnswer(contracts, token.address, 'decimals')) ?? '')
  const name = await contractAnswer(contracts, token.address, 'name')
  const type = managerTypeResult(
    (await contractAnswer(contracts, receiver.its, 'token_manager_type', id)) ?? '',
  )
  const manager = await contractAnswer(contracts, receiver.its, 'deployed_token_manager', id)
  const isRefused =
    type !== undefined &&
    manager !== undefined &&
    isMinted(type) &&
    !(await canMint({ contracts, token }, { address: manager, type }))
  return [
    ...(isRefused ? [doubtful(subject, NOT_GIVEN)] : []),
    ...(typeof decimals === 'number'
      ? decimalsFinding(token, decimals)
      : [wrong(subject, 'it has no decimals(): is this address the token?')]),
    ...(isAddressResult(registered ?? '', token.address) === true
      ? []
      : [wrong(subject, 'its.tokenId: it is not the id of this token; correct it')]),
    ...(isUnnamedAsset({ chain, token }, name)
      ? [wrong(subject, 'it is a classic asset: name code and issuer in stellar; it is not quoted')]
      : []),
  ]
}

const checkStellar = async (contracts: ContractChain, place: Place): Promise<readonly Finding[]> => {
  const { chain, receiver, moved } = place
  const paused = await contractAnswer(contracts, receiver.its, 'paused')
  if (paused === undefined)
    return [wrong(serviceOf(chain), `its: ${receiver.its} is no token service; correct the address`)]
  const names = partnersOf(place)
  const trusted: string[] = []
  for (const name of names) {
    const answer = await contractAnswer(contracts, receiver.its, 'is_trusted_chain', chainArgument(name))
    if (readScVal(answer ?? '') === true) trusted.push(name)
  }
  const found: Finding[] = [...trustFindings(place, readScVal(paused) === true, names, trusted)]
  for (const one of moved) found.push(...(await stellarToken(contracts, place, one)))
  return found
}

/**
 * Compares the token service that the network names on a chain of another family, and its interchain tokens, with the chain.
 * Rejects if the chain cannot be read.
 */
export const checkReceiver = async (
  { programs, contracts }: Pick<PaymentChain, 'programs' | 'contracts'>,
  chain: NetworkChain,
  network: Network,
): Promise<readonly Finding[]> => {
  const receiver = chain.tokenReceiver
  if (receiver === undefined) return []
  const moved = network.tokens.flatMap((token) =>
    token.chainId === chain.chainId ? tokenIdsOf(token).map((tokenId) => ({ token, tokenId })) : [],
  )
  const place = { chain, network, receiver, moved }
  const found = [
    ...(programs === undefined ? [] : await checkSolana(programs, place)),
    ...(contracts === undefined ? [] : await checkStellar(contracts, place)),
  ]
  const spoilt = new Set(
    found.filter(({ subject }) => subject.startsWith('token ')).map(({ subject }) => subject),
  )
  return [
    ...found,
    fine(
      `chain ${chain.chainId} tokens`,
      `${moved.length - spoilt.size} of ${moved.length} interchain tokens are as the file says`,
    ),
  ]
}
