import { routerReads, wrongFacts } from '../../backends/router/router-facts.ts'
import { stringAt, uintAt } from '../../chains/evm/abi-words.ts'
import type { EvmCall, EvmChain } from '../../chains/evm/evm-chain.ts'
import { keccakHex } from '../../chains/evm/keccak.ts'
import { isSameAddress } from '../../core/comparable-address.ts'
import { tokenIdsOf } from '../../core/interchain-token.ts'
import type { Network, NetworkChain } from '../../core/network.ts'
import type { SettlerKind } from '../../intents/settlers/order-status.ts'
import { proofWindowOf, settlerFaults, settlerReads } from '../../intents/settlers/settler-facts.ts'
import { ITS_READS, isTrustedChainData, trustedAddressData } from '../../protocols/axelar/its-contract.ts'
import { readInSmallBatches } from './contract-calls.ts'
import { doubtful, type Finding, fine, wrong } from './finding.ts'

/** What `trustedAddress` returns for a chain that is reached through the hub. */
const THROUGH_HUB = 'hub'

type Place = { readonly evm: EvmChain; readonly chain: NetworkChain; readonly network: Network }

const contractsOf = ({
  axelar,
  exchange,
  express,
  intent,
  attested,
}: NetworkChain): readonly (readonly [place: string, address: string | undefined])[] => [
  ['axelar.gateway', axelar?.gateway],
  ['axelar.gasService', axelar?.gasService],
  ['axelar.its', axelar?.its],
  ['axelar.itsFactory', axelar?.itsFactory],
  ['exchange.router', exchange?.router],
  ['exchange.factory', exchange?.factory],
  ['exchange.tickLens', exchange?.tickLens],
  ['exchange.wrappedNative', exchange?.wrappedNative],
  ['express.router', express?.router],
  ['intent.settler', intent?.settler],
  ['attested.settler', attested?.settler],
]

const checkCode = async ({ evm, chain }: Place): Promise<readonly Finding[]> => {
  const subject = `chain ${chain.chainId} contracts`
  const named = contractsOf(chain).flatMap(([place, address]) =>
    address === undefined ? [] : [{ place, address }],
  )
  const found: Finding[] = []
  for (const { place, address } of named)
    if (!(await evm.hasCode(address)))
      found.push(wrong(subject, `${place}: ${address} has no code on this chain; correct the address`))
  return found.length > 0 ? found : [fine(subject, `${named.length} contracts have code`)]
}

/** Axelar's names of the chains that share an interchain token with this one; of two chains at least one is an EVM chain. */
export const partnersOf = ({ chain, network }: Pick<Place, 'chain' | 'network'>): readonly string[] => {
  const own = new Set(
    network.tokens.flatMap((token) => (token.chainId === chain.chainId ? tokenIdsOf(token) : [])),
  )
  const shared = new Set(
    network.tokens.flatMap((token) => (tokenIdsOf(token).some((id) => own.has(id)) ? [token.chainId] : [])),
  )
  return network.chains.flatMap(({ chainId, axelar, tokenReceiver }) => {
    const partner = chain.axelar === undefined ? axelar : (axelar ?? tokenReceiver)
    return chainId !== chain.chainId && shared.has(chainId) && partner !== undefined ? [partner.name] : []
  })
}

/**
 * The token service keeps the hash of its chain's name as Axelar spells it. Proofs of fills go to that spelling, so a name in
 * another case is as wrong as another name.
 */
const checkName = async ({ evm, chain: { chainId, axelar } }: Place): Promise<readonly Finding[]> => {
  if (axelar?.its === undefined) return []
  const subject = `chain ${chainId} axelar.name`
  const [told] = await readInSmallBatches(evm, [
    { to: axelar.its, data: ITS_READS.chainNameHash, mayRevert: true },
  ])
  if (told === undefined || uintAt(told, 0) === undefined)
    return [
      doubtful(subject, `${axelar.its} does not tell its chain's name; is it axelar.its of this chain?`),
    ]
  return told.slice(2).toLowerCase() === keccakHex(axelar.name)
    ? [fine(subject, `is ${axelar.name}, as axelar.its confirms`)]
    : [
        wrong(
          subject,
          `axelar.its knows its chain by another name than "${axelar.name}": correct it, case included`,
        ),
      ]
}

const checkTrust = async (place: Place): Promise<readonly Finding[]> => {
  const { evm, chain } = place
  const its = chain.axelar?.its
  const names = partnersOf(place)
  if (its === undefined || names.length === 0) return []
  const subject = `chain ${chain.chainId} axelar.its`
  const [paused, ...answers] = await readInSmallBatches(evm, [
    { to: its, data: ITS_READS.paused },
    ...names.flatMap((name): readonly EvmCall[] => [
      { to: its, data: isTrustedChainData(name) },
      { to: its, data: trustedAddressData(name) },
    ]),
  ])
  const untrusted = names.filter(
    (_, index) =>
      uintAt(answers[index * 2] ?? '0x', 0) !== 1n &&
      stringAt(answers[index * 2 + 1] ?? '0x', 0) !== THROUGH_HUB,
  )
  return [
    ...(uintAt(paused ?? '0x', 0) === 1n ? [wrong(subject, 'it is paused: its is not quoted here')] : []),
    untrusted.length === 0
      ? fine(subject, `trusts ${names.length} chains`)
      : wrong(
          subject,
          `does not trust ${untrusted.join(', ')}: correct axelar.name there; its is not quoted`,
        ),
  ]
}

/** A settler confirms the network file, and an IntentSettler trusts its own address alone on other chains. */
const checkSettler = async (
  { evm, chain, network }: Place,
  kind: SettlerKind,
): Promise<readonly Finding[]> => {
  const settler = chain[kind]?.settler
  if (settler === undefined || network.intent === undefined) return []
  const subject = `chain ${chain.chainId} ${kind}.settler`
  const answers = await readInSmallBatches(evm, settlerReads(kind, settler))
  const elsewhere =
    kind === 'attested'
      ? undefined
      : network.chains.find(
          (other) => other.intent !== undefined && !isSameAddress(other.intent.settler, settler),
        )
  const faults = [
    ...(elsewhere === undefined
      ? []
      : [`it has another address on ${elsewhere.chainId}: no intents are quoted between the two`]),
    ...settlerFaults(kind, chain, network.intent.refundDelaySeconds, answers),
  ]
  return faults.length > 0
    ? faults.map((fault) => wrong(subject, fault))
    : [fine(subject, `confirms the network file, proof window ${proofWindowOf(answers)} s`)]
}

/** Compares a router with the network file. Routers trust their own address alone, so all must have one. */
const checkRouter = async ({ evm, chain, network }: Place): Promise<readonly Finding[]> => {
  const { axelar, exchange, express } = chain
  if (axelar === undefined || express === undefined) return []
  const subject = `chain ${chain.chainId} express.router`
  const answers = await readInSmallBatches(evm, routerReads(express.router))
  const { factory: swapFactory, wrappedNative } = exchange ?? {}
  const { gateway, gasService, name: chainName } = axelar
  const differing = wrongFacts({ gateway, gasService, chainName, swapFactory, wrappedNative }, answers)
  const elsewhere = network.chains.filter(
    (other) => other.express !== undefined && !isSameAddress(other.express.router, express.router),
  )
  const found = [
    ...differing.map((fact) =>
      wrong(subject, `its ${fact} is not the network file's: correct one of them; nothing is quoted here`),
    ),
    ...elsewhere.map(({ chainId, express: other }) =>
      wrong(
        subject,
        `it does not trust ${other?.router} of ${chainId}, which has another address; not quoted`,
      ),
    ),
  ]
  return found.length > 0 ? found : [fine(subject, 'confirms the network file')]
}

/** Compares the contracts that the network names on one chain with the chain. Rejects if it cannot be read. */
export const checkContracts = async (place: Place): Promise<readonly Finding[]> => [
  ...(await checkCode(place)),
  ...(await checkName(place)),
  ...(await checkTrust(place)),
  ...(await checkSettler(place, 'intent')),
  ...(await checkRouter(place)),
  ...(await checkSettler(place, 'attested')),
]
