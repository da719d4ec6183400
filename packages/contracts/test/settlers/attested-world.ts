import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { type Call, type Chain, type Event, openChain } from '@openrfq/sandbox/test/chain-calls.ts'
import { createDeploy, type Deploy, ownArtifact } from '@openrfq/sandbox/test/contract-deployer.ts'
import { type PrivateAnvil, startAnvil } from 'openrfq/test/private-anvil.ts'
import {
  type Abi,
  type Hex,
  hashTypedData,
  keccak256,
  numberToHex,
  pad,
  toHex,
  zeroAddress,
  zeroHash,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { DEPOSITOR, FILLER, INTEGRATOR, OWNER, RECIPIENT, SIGNER, SOLVER, STRANGER, WINDOW } from './world.ts'

/** An order as settlers/AttestedOrder.sol declares it; amounts in base units, times in seconds since 1970. */
export type AttestedOrder = {
  readonly salt: Hex
  readonly originChain: Hex
  readonly originSettler: Hex
  readonly depositor: Hex
  readonly inputToken: Hex
  readonly inputAmount: bigint
  readonly destinationChain: Hex
  readonly destinationSettler: Hex
  readonly outputToken: Hex
  readonly outputAmount: bigint
  readonly recipient: Hex
  readonly recipientTag: bigint
  readonly solver: Hex
  readonly filler: Hex
  readonly openDeadline: number
  readonly exclusiveUntil: number
  readonly fillDeadline: number
  readonly refundAfter: number
  readonly attester: Hex
  readonly integrator: Hex
  readonly integratorFee: bigint
}

/** The EIP-712 fields of an order. */
export const ATTESTED_FIELDS = [
  { name: 'salt', type: 'bytes32' },
  { name: 'originChain', type: 'bytes32' },
  { name: 'originSettler', type: 'bytes32' },
  { name: 'depositor', type: 'bytes32' },
  { name: 'inputToken', type: 'bytes32' },
  { name: 'inputAmount', type: 'uint256' },
  { name: 'destinationChain', type: 'bytes32' },
  { name: 'destinationSettler', type: 'bytes32' },
  { name: 'outputToken', type: 'bytes32' },
  { name: 'outputAmount', type: 'uint256' },
  { name: 'recipient', type: 'bytes32' },
  { name: 'recipientTag', type: 'uint256' },
  { name: 'solver', type: 'bytes32' },
  { name: 'filler', type: 'bytes32' },
  { name: 'openDeadline', type: 'uint32' },
  { name: 'exclusiveUntil', type: 'uint32' },
  { name: 'fillDeadline', type: 'uint32' },
  { name: 'refundAfter', type: 'uint32' },
  { name: 'attester', type: 'address' },
  { name: 'integrator', type: 'bytes32' },
  { name: 'integratorFee', type: 'uint256' },
] as const

const NAME = 'OpenRFQ AttestedSettler'
const TYPES = { AttestedOrder: ATTESTED_FIELDS } as const

/** Attests fills. */
export const ATTESTER = privateKeyToAccount(`0x${'22'.repeat(32)}`)
/** Signs like an attester, and is none. */
export const IMPOSTOR = privateKeyToAccount(`0x${'33'.repeat(32)}`)

/** A chain with the attested settler and a token. */
export type World = Chain & {
  readonly factory: Hex
  readonly settler: Hex
  readonly token: Hex
  readonly deploy: Deploy<keyof typeof ARTIFACTS>
}

const ARTIFACTS = {
  factory: ownArtifact('factory/ContractFactory'),
  settler: ownArtifact('settlers/AttestedSettler'),
  token: ownArtifact('test/HostileToken'),
  puppet: ownArtifact('test/Puppet'),
} as const

/** The settler's artifact. */
export const ATTESTED_ARTIFACT = ARTIFACTS.settler

const MERGED_ABI: Abi = Object.values(ARTIFACTS)
  .flatMap(({ abi }) => abi)
  .filter(({ type }) => type === 'function' || type === 'event' || type === 'error')

/** The order's id by viem's EIP-712. */
export const attestedIdOf = (message: AttestedOrder): Hex =>
  hashTypedData({ domain: { name: NAME, version: '2' }, types: TYPES, primaryType: 'AttestedOrder', message })

/** A depositor's signature of an order. */
export const signAttested = (message: AttestedOrder): Promise<Hex> =>
  SIGNER.signTypedData({
    domain: { name: NAME, version: '2' },
    types: TYPES,
    primaryType: 'AttestedOrder',
    message,
  })

/** An attestation: the attester's signature that a transaction filled an order. */
export const attest = (
  world: Pick<World, 'number' | 'settler'>,
  order: AttestedOrder,
  transaction: Hex,
  by = ATTESTER,
  payee: Hex = order.solver,
): Promise<Hex> =>
  by.signTypedData({
    domain: { name: NAME, version: '2', chainId: world.number, verifyingContract: world.settler },
    types: {
      Fill: [
        { name: 'orderId', type: 'bytes32' },
        { name: 'repayTo', type: 'bytes32' },
        { name: 'transaction', type: 'bytes32' },
      ],
    },
    primaryType: 'Fill',
    message: { orderId: attestedIdOf(order), repayTo: payee, transaction },
  })

/** A chain as orders name it. */
export const chainHash = (chainId: string): Hex => keccak256(toHex(chainId))
const SOLANA = chainHash('solana:test')
const LEDGER_ACCOUNT: Hex = `0x${'ab'.repeat(32)}`

const deadlines = (now: number) => ({
  openDeadline: now + 600,
  exclusiveUntil: now + 1200,
  fillDeadline: now + 1200,
  refundAfter: now + 1200 + WINDOW,
})

/** An order from this chain to a ledger. */
export const outOf = async (world: World, part: Partial<AttestedOrder> = {}): Promise<AttestedOrder> => ({
  salt: `0x${randomBytes(32).toString('hex')}`,
  originChain: chainHash(`eip155:${world.number}`),
  originSettler: pad(world.settler),
  depositor: pad(DEPOSITOR),
  inputToken: pad(world.token),
  inputAmount: 1_000_000n,
  destinationChain: SOLANA,
  destinationSettler: LEDGER_ACCOUNT,
  outputToken: zeroHash,
  outputAmount: 990_000n,
  recipient: `0x${'cd'.repeat(32)}`,
  recipientTag: 7n,
  solver: pad(SOLVER),
  filler: `0x${'ef'.repeat(32)}`,
  ...deadlines(await world.now()),
  attester: ATTESTER.address,
  integrator: pad(INTEGRATOR),
  integratorFee: 1000n,
  ...part,
})

/** An order from a ledger to this chain, open to strangers for its last five minutes. */
export const into = async (world: World, part: Partial<AttestedOrder> = {}): Promise<AttestedOrder> => {
  const order = await outOf(world)
  return {
    ...order,
    originChain: SOLANA,
    originSettler: LEDGER_ACCOUNT,
    depositor: order.recipient,
    inputToken: zeroHash,
    destinationChain: order.originChain,
    destinationSettler: order.originSettler,
    outputToken: pad(world.token),
    recipient: pad(RECIPIENT),
    recipientTag: 0n,
    solver: order.filler,
    filler: pad(FILLER),
    exclusiveUntil: order.fillDeadline - 300,
    integrator: zeroHash,
    integratorFee: 0n,
    ...part,
  }
}

const nativeOf = (token: Hex, amount: bigint): bigint => (BigInt(token) === 0n ? amount : 0n)
const addressOf = (word: Hex): Hex => `0x${word.slice(26)}`

/** Calls of an order. */
export const openCall = (world: World, order: AttestedOrder): Call => ({
  from: addressOf(order.depositor),
  to: world.settler,
  data: world.encode('open', [order]),
  value: nativeOf(order.inputToken, order.inputAmount),
})
export const fillCall = (
  world: World,
  order: AttestedOrder,
  from: Hex = FILLER,
  payee: Hex = zeroHash,
): Call => ({
  from,
  to: world.settler,
  data: world.encode('fill', [order, payee]),
  value: nativeOf(order.outputToken, order.outputAmount),
})
export const releaseCall = (
  world: World,
  order: AttestedOrder,
  transaction: Hex,
  signature: Hex,
  to: Hex = SOLVER,
  from: Hex = STRANGER,
): Call => ({ from, to: world.settler, data: world.encode('release', [order, transaction, signature, to]) })
export const refundCall = (
  world: World,
  order: AttestedOrder,
  from: Hex = STRANGER,
  to: Hex = DEPOSITOR,
): Call => ({
  from,
  to: world.settler,
  data: world.encode('refund', [order, to]),
})

/** What the chain remembers of an order: the kind of its escrow, and whom its fill repays. */
export const recordOf = async (world: World, order: AttestedOrder): Promise<readonly [number, Hex]> =>
  // CAST: kind and account.
  (await world.read(world.settler, 'record', [attestedIdOf(order)])) as readonly [number, Hex]

/** Gives an account native value and tokens, and the settler an allowance. */
const fund = async (world: World, account: Hex): Promise<void> => {
  await world.rpc('anvil_setBalance', account, numberToHex(10n ** 18n))
  await world.run({ from: account, to: world.token, data: world.encode('mint', [account, 10n ** 18n]) })
  await world.run({
    from: account,
    to: world.token,
    data: world.encode('approve', [world.settler, 10n ** 18n]),
  })
}

/** Starts a chain with a factory and a token. The caller stops it. */
export const startChain = async (): Promise<
  Omit<World, 'settler'> & { readonly stop: PrivateAnvil['stop'] }
> => {
  const anvil = await startAnvil(
    31_337,
    '--gas-price',
    '0',
    '--block-base-fee-per-gas',
    '0',
    '--auto-impersonate',
  )
  const chain = openChain(31_337, anvil, MERGED_ABI)
  const deploy = createDeploy(chain, ARTIFACTS)
  const [factory, token] = [await deploy('factory', [OWNER]), await deploy('token')]
  return { ...chain, deploy, factory, token, stop: anvil.stop }
}

/** Puts a settler of this code on the chain, and funds the accounts for it. */
export const withSettler = async (
  bare: Omit<World, 'settler'>,
  code: Hex,
  salt: Hex = zeroHash,
): Promise<World> => {
  const { factory, token } = bare
  const facts = {
    gateway: factory,
    gasService: factory,
    chainName: toHex('sandbox-a', { size: 32 }),
    proofWindow: WINDOW,
    swapFactory: zeroAddress,
    wrappedNative: zeroAddress,
  }
  await bare.run({ from: OWNER, to: factory, data: bare.encode('deploy', [code, salt, facts]) })
  // CAST: the factory answers an address.
  const settler = (await bare.read(factory, 'addressOf', [keccak256(code), salt])) as Hex
  const world = { ...bare, token, settler }
  for (const account of [DEPOSITOR, FILLER, STRANGER, SIGNER.address]) await fund(world, account)
  return world
}

/** The arguments of a transaction's only event of a name. */
export const argsOf = (events: readonly Event[], name: string): Readonly<Record<string, unknown>> => {
  const found = events.filter(({ eventName }) => eventName === name)
  assert.ok(found[0] && found.length === 1, `${found.length} events ${name}`)
  return found[0].args
}

/** One attempt at the attested settler. It throws when it does not behave. */
export type Case = { readonly name: string; readonly run: (world: World) => Promise<void> }
