import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import type { PrivateAnvil } from 'openrfq/test/private-anvil.ts'
import {
  type Abi,
  encodeAbiParameters,
  type Hex,
  keccak256,
  numberToHex,
  parseAbiParameters,
  zeroAddress,
  zeroHash,
} from 'viem'
import {
  AXELAR_ABI,
  AXELAR_ARTIFACTS,
  type AxelarContracts,
  deployAxelar,
  executeBatch,
} from './axelar-contracts.ts'
import { type Chain, type Event, openChain } from './chain-calls.ts'
import { createDeploy, DEPLOYER, type Deploy, ownArtifact } from './contract-deployer.ts'
import { chainWord, type IntentOrder } from './intent-order.ts'
import { startTwoChains, type TwoChains } from './two-chains.ts'

/** A chain with Axelar's gateway and gas service, the settler under test and a freely mintable token. */
export type Side = Chain &
  AxelarContracts & {
    readonly axelarChain: string
    /** The settler, at the same address on both chains. */
    readonly settler: Hex
    readonly token: Hex
    readonly deploy: Deploy<keyof typeof ARTIFACTS>
  }

/** Two chains with settlers. */
export type SettlerWorld = TwoChains<Side>

/** A gateway message, as announced or forged. */
export type Message = {
  readonly sourceChain: string
  readonly sourceAddress: string
  readonly target: Hex
  readonly payload: Hex
}

/** Minimum time between fill deadline and refund, in seconds. */
export const PROOF_WINDOW_SECONDS = 600

/** Test accounts by role; the chains impersonate them. */
export const DEPOSITOR: Hex = '0x1000000000000000000000000000000000000001'
export const RECIPIENT: Hex = '0x2000000000000000000000000000000000000002'
export const SOLVER: Hex = '0x3000000000000000000000000000000000000003'
export const FILLER: Hex = '0x4000000000000000000000000000000000000004'
export const STRANGER: Hex = '0x5000000000000000000000000000000000000005'

const ARTIFACTS = {
  ...AXELAR_ARTIFACTS,
  factory: ownArtifact('factory/ContractFactory'),
  settler: ownArtifact('settlers/IntentSettler'),
  token: ownArtifact('test/HostileToken'),
  puppet: ownArtifact('test/Puppet'),
} as const

/**
 * All functions, events and errors used by the tests; entries of Axelar's ABIs that clash with the settler's are left
 * out.
 */
const MERGED_ABI: Abi = [
  ...ARTIFACTS.factory.abi,
  ...ARTIFACTS.settler.abi,
  ...ARTIFACTS.token.abi,
  ...ARTIFACTS.puppet.abi,
  ...AXELAR_ABI,
].filter(({ type }) => type === 'function' || type === 'event' || type === 'error')

/** Deploys one side; the factory first, so that it has the same address on both. */
const openSide = async (
  number: number,
  axelarChain: string,
  anvil: PrivateAnvil,
  tokens: number,
): Promise<Side> => {
  const chain = openChain(number, anvil, MERGED_ABI)
  const deploy = createDeploy(chain, ARTIFACTS)
  const factory = await deploy('factory', [DEPLOYER])
  const axelar = await deployAxelar(chain, deploy)
  const facts = {
    ...axelar,
    chainName: chainWord(axelarChain),
    proofWindow: PROOF_WINDOW_SECONDS,
    swapFactory: zeroAddress,
    wrappedNative: zeroAddress,
  }
  const { bytecode } = ARTIFACTS.settler
  const data = chain.encode('deploy', [bytecode, zeroHash, facts])
  await chain.run({ from: DEPLOYER, to: factory, data })
  // CAST: the factory answers an address.
  const settler = (await chain.read(factory, 'addressOf', [keccak256(bytecode), zeroHash])) as Hex
  let token = await deploy('token')
  for (let count = 1; count < tokens; count++) token = await deploy('token')
  return { ...chain, ...axelar, axelarChain, deploy, token, settler }
}

/** Starts two chains with all contracts deployed. The caller stops them. */
export const startSettlerWorld = (): Promise<SettlerWorld> =>
  startTwoChains(async ([anvilA, anvilB]) => {
    // An extra token on one chain shifts the deployer's nonce, so that the tokens' addresses differ between the chains.
    const [a, b] = await Promise.all([
      openSide(31_337, 'Sandbox-A', anvilA, 1),
      openSide(31_338, 'sandbox-b', anvilB, 2),
    ])
    assert.equal(a.settler, b.settler)
    return [a, b]
  })

/** An order from one side to the other, tokens for tokens, with deadlines within the next hour. */
export const orderOf = (
  from: Side,
  to: Side,
  nowSeconds: number,
  part: Partial<IntentOrder> = {},
): IntentOrder => ({
  depositor: DEPOSITOR,
  salt: `0x${randomBytes(32).toString('hex')}`,
  originChainId: BigInt(from.number),
  destinationChainId: BigInt(to.number),
  destinationChain: chainWord(to.axelarChain),
  openDeadline: nowSeconds + 600,
  exclusiveUntil: nowSeconds + 900,
  fillDeadline: nowSeconds + 1200,
  refundAfter: nowSeconds + 1200 + PROOF_WINDOW_SECONDS,
  inputToken: from.token,
  inputAmount: 1_000_000n,
  outputToken: to.token,
  outputAmount: 990_000n,
  recipient: RECIPIENT,
  solver: SOLVER,
  filler: FILLER,
  integrator: zeroAddress,
  integratorFee: 0n,
  ...part,
})

/** Gives an account native value and tokens, and approves the settler for the tokens. */
export const fund = async (side: Side, account: Hex, amount: bigint): Promise<void> => {
  await side.rpc('anvil_setBalance', account, numberToHex(amount))
  await side.run({ from: account, to: side.token, data: side.encode('mint', [account, amount]) })
  await side.run({ from: account, to: side.token, data: side.encode('approve', [side.settler, amount]) })
}

/** The messages that a settler's transaction passed to its gateway, in order. */
export const messagesOf = (from: Side, events: readonly Event[]): readonly Message[] =>
  events
    .filter(({ eventName }) => eventName === 'ContractCall')
    // CAST: the arguments of the gateway's ContractCall.
    .map(({ args }) => args as unknown as { sender: Hex; destinationContractAddress: Hex; payload: Hex })
    .map(({ sender, destinationContractAddress: target, payload }) => ({
      sourceChain: from.axelarChain,
      sourceAddress: sender.toLowerCase(),
      target,
      payload,
    }))

/** Signs and executes the approval of a message on a chain's gateway. Returns the fresh command id. */
export const approve = async (to: Side, message: Message): Promise<Hex> => {
  const id: Hex = `0x${randomBytes(32).toString('hex')}`
  const params = encodeAbiParameters(
    parseAbiParameters('string, string, address, bytes32, bytes32, uint256'),
    [message.sourceChain, message.sourceAddress, message.target, keccak256(message.payload), id, 0n],
  )
  await executeBatch(to, [{ id, name: 'approveContractCall', params }])
  return id
}

/** The call that executes an approved message. */
export const executionOf = (
  to: Side,
  commandId: Hex,
  { sourceChain, sourceAddress, target, payload }: Message,
) => ({
  from: STRANGER,
  to: target,
  data: to.encode('execute', [commandId, sourceChain, sourceAddress, payload]),
})
