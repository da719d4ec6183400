import { routerReads, wrongFacts } from '../../backends/gateway-express/router-facts.ts'
import { addressAt, stringAt, uintAt, wordAt } from '../../chains/evm/abi-words.ts'
import type { EvmCall, EvmChain } from '../../chains/evm/evm-chain.ts'
import { isSameAddress } from '../../core/comparable-address.ts'
import type { Network, NetworkChain } from '../../core/network.ts'
import { nameChains } from '../../intents/settlers/attested-order.ts'
import { foldedName } from '../../protocols/axelar/folded-name.ts'
import { ITS_READS, isTrustedChainData, trustedAddressData } from '../../protocols/axelar/its-contract.ts'
import { readInSmallBatches } from './contract-calls.ts'
import { type Finding, fine, wrong } from './finding.ts'

const PROOF_WINDOW = '0xa479265d'
/** What an IntentSettler was told of its chain. */
const SETTLER_FACTS = { gateway: '0x116191b6', chainName: '0x1c93b03a', proofWindow: PROOF_WINDOW } as const
/** What an AttestedSettler knows of its chain. */
const ATTESTED_FACTS = { chain: '0xc763e5a1', proofWindow: PROOF_WINDOW } as const
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

/** Axelar's names of the chains that share an interchain token with this one. */
const partnersOf = ({ chain, network }: Place): readonly string[] => {
  const own = new Set(
    network.tokens.flatMap(({ chainId, its }) =>
      chainId === chain.chainId && its !== undefined ? [its.tokenId] : [],
    ),
  )
  const shared = new Set(
    network.tokens.flatMap(({ chainId, its }) =>
      its !== undefined && own.has(its.tokenId) ? [chainId] : [],
    ),
  )
  return network.chains.flatMap(({ chainId, axelar }) =>
    chainId !== chain.chainId && shared.has(chainId) && axelar !== undefined ? [axelar.name] : [],
  )
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

/** An IntentSettler trusts its own address on other chains, and the facts that it was deployed with. */
const checkSettler = async ({ evm, chain, network }: Place): Promise<readonly Finding[]> => {
  const { intent, axelar } = chain
  if (intent === undefined || axelar === undefined || network.intent === undefined) return []
  const { settler } = intent
  const subject = `chain ${chain.chainId} intent.settler`
  const [gateway = '0x', name = '0x', proofWindow = '0x'] = await readInSmallBatches(
    evm,
    Object.values(SETTLER_FACTS).map((data) => ({ to: settler, data })),
  )
  const told = addressAt(gateway, 0)
  const window = uintAt(proofWindow, 0)
  if (told === undefined || window === undefined)
    return [wrong(subject, `${settler} is no IntentSettler; correct the address`)]
  const elsewhere = network.chains.find(
    (other) => other.intent !== undefined && !isSameAddress(other.intent.settler, settler),
  )
  const faults = [
    elsewhere && `it has another address on ${elsewhere.chainId}: no intents are quoted between the two`,
    isSameAddress(told, axelar.gateway) ? undefined : `its gateway is ${told}, not ${axelar.gateway}`,
    `0x${wordAt(name, 0)}` === foldedName(axelar.name)
      ? undefined
      : `it does not know its chain as ${axelar.name}: correct axelar.name or the address`,
    window > BigInt(network.intent.refundDelaySeconds)
      ? `its proof window is ${window} s: raise intent.refundDelaySeconds`
      : undefined,
  ].filter((fault) => fault !== undefined)
  return faults.length > 0
    ? faults.map((fault) => wrong(subject, fault))
    : [fine(subject, `knows its gateway and name, proof window ${window} s`)]
}

/** Compares a router with the network file. Routers trust their own address alone, so all must have one. */
const checkRouter = async ({ evm, chain, network }: Place): Promise<readonly Finding[]> => {
  const { axelar, exchange, express } = chain
  if (axelar === undefined || exchange === undefined || express === undefined) return []
  const subject = `chain ${chain.chainId} express.router`
  const answers = await readInSmallBatches(evm, routerReads(express.router))
  const { factory: swapFactory, wrappedNative } = exchange
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

const checkAttested = async ({ evm, chain, network }: Place): Promise<readonly Finding[]> => {
  const settler = chain.attested?.settler
  if (settler === undefined || network.intent === undefined) return []
  const subject = `chain ${chain.chainId} attested.settler`
  const [name = '0x', answer = '0x'] = await readInSmallBatches(
    evm,
    Object.values(ATTESTED_FACTS).map((data) => ({ to: settler, data })),
  )
  const window = uintAt(answer, 0)
  if (window === undefined || !nameChains([chain.chainId]).has(wordAt(name, 0) ?? ''))
    return [wrong(subject, `${settler} is no AttestedSettler of this chain; correct the address`)]
  return window > BigInt(network.intent.refundDelaySeconds)
    ? [wrong(subject, `its proof window is ${window} s: raise intent.refundDelaySeconds`)]
    : [fine(subject, `proof window ${window} s`)]
}

/** Compares the contracts that the network names on one chain with the chain. Rejects if it cannot be read. */
export const checkContracts = async (place: Place): Promise<readonly Finding[]> => [
  ...(await checkCode(place)),
  ...(await checkTrust(place)),
  ...(await checkSettler(place)),
  ...(await checkRouter(place)),
  ...(await checkAttested(place)),
]
