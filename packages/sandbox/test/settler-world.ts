import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import type { PrivateAnvil } from 'openrfq/test/private-anvil.ts'
import { type Abi, encodeAbiParameters, type Hex, keccak256, numberToHex, parseAbiParameters } from 'viem'
import {
  AXELAR_ABI,
  AXELAR_ARTIFACTS,
  type AxelarContracts,
  deployAxelar,
  executeBatch,
} from './axelar-contracts.ts'
import { type Chain, type Event, openChain } from './chain-calls.ts'
import { createDeploy, type Deploy, nextAddress, ownArtifact } from './contract-deployer.ts'
import type { IntentOrder } from './intent-order.ts'
import { startTwoChains, type TwoChains } from './two-chains.ts'

/** A chain with Axelar's gateway and gas service, the settler under test and a freely mintable token. */
export type Side = Chain &
  AxelarContracts & {
    readonly axelarChain: string
    readonly settler: Hex
    readonly token: Hex
    readonly deploy: Deploy<keyof typeof ARTIFACTS>
  }

/** Two chains whose settlers trust each other and a settler on a third chain that does not exist. */
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

/** A chain that both settlers trust and on which nothing runs; tests forge messages from it. */
export const THIRD = {
  chainId: 31_339n,
  axelarChain: 'Third',
  settler: '0xCcCCccccCCCCcCCCCCCcCcCccCcCCCcCcccccccC',
  proofWindowSeconds: PROOF_WINDOW_SECONDS,
} as const

/** Test accounts by role; the chains impersonate them. */
export const DEPOSITOR: Hex = '0x1000000000000000000000000000000000000001'
export const RECIPIENT: Hex = '0x2000000000000000000000000000000000000002'
export const SOLVER: Hex = '0x3000000000000000000000000000000000000003'
export const FILLER: Hex = '0x4000000000000000000000000000000000000004'
export const STRANGER: Hex = '0x5000000000000000000000000000000000000005'

const ARTIFACTS = {
  ...AXELAR_ARTIFACTS,
  settler: ownArtifact('intent/IntentSettler'),
  token: ownArtifact('test/HostileToken'),
  puppet: ownArtifact('test/Puppet'),
} as const

/**
 * All functions, events and errors used by the tests; entries of Axelar's ABIs that clash with the settler's are left
 * out.
 */
const MERGED_ABI: Abi = [
  ...ARTIFACTS.settler.abi,
  ...ARTIFACTS.token.abi,
  ...ARTIFACTS.puppet.abi,
  ...AXELAR_ABI,
].filter(({ type }) => type === 'function' || type === 'event' || type === 'error')

/** Deploys one side. The caller computes both settlers' addresses from the deployers' nonces in advance. */
const openSide = async (
  number: number,
  axelarChain: string,
  anvil: PrivateAnvil,
  tokens: number,
): Promise<Side> => {
  const chain = openChain(number, anvil, MERGED_ABI)
  const deploy = createDeploy(chain, ARTIFACTS)
  const axelar = await deployAxelar(chain, deploy)
  let token = await deploy('token')
  for (let count = 1; count < tokens; count++) token = await deploy('token')
  const settler = await nextAddress(chain)
  return { ...chain, ...axelar, axelarChain, deploy, token, settler }
}

/** The constructor argument that describes another side. */
export const remoteOf = ({ number, axelarChain, settler }: Side) => ({
  chainId: BigInt(number),
  axelarChain,
  settler,
  proofWindowSeconds: PROOF_WINDOW_SECONDS,
})

const deploySettler = async (side: Side, other: Side): Promise<void> => {
  const deployed = await side.deploy('settler', [side.gateway, side.gasService, [remoteOf(other), THIRD]])
  assert.equal(deployed, side.settler)
}

/** Starts two chains with all contracts deployed. The caller stops them. */
export const startSettlerWorld = (): Promise<SettlerWorld> =>
  startTwoChains(async ([anvilA, anvilB]) => {
    // An extra token on one chain shifts the deployer's nonce, so that addresses differ between the chains.
    const [a, b] = await Promise.all([
      openSide(31_337, 'Sandbox-A', anvilA, 1),
      openSide(31_338, 'sandbox-b', anvilB, 2),
    ])
    await Promise.all([deploySettler(a, b), deploySettler(b, a)])
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
  originSettler: from.settler,
  destinationChainId: BigInt(to.number),
  destinationSettler: to.settler,
  openDeadline: nowSeconds + 600,
  fillDeadline: nowSeconds + 1200,
  refundAfter: nowSeconds + 1200 + PROOF_WINDOW_SECONDS,
  inputToken: from.token,
  inputAmount: 1_000_000n,
  outputToken: to.token,
  outputAmount: 990_000n,
  recipient: RECIPIENT,
  solver: SOLVER,
  filler: FILLER,
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
