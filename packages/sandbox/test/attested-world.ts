import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { startAnvil } from 'openrfq/test/private-anvil.ts'
import { type Abi, type Hex, keccak256, numberToHex, pad, stringToHex, zeroAddress } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { type AttestedOrder, attestedIdOf, fillDigestOf } from './attested-order.ts'
import { type Call, type Chain, type Event, openChain } from './chain-calls.ts'
import { createDeploy, type Deploy, ownArtifact } from './contract-deployer.ts'

/** A chain with the settler under test and a freely mintable token. Gas is free. */
export type AttestedWorld = Chain & {
  readonly settler: Hex
  readonly token: Hex
  readonly deploy: Deploy<keyof typeof ARTIFACTS>
  readonly stop: () => Promise<void>
}

/** Minimum time between fill deadline and refund, in seconds. */
export const WINDOW_SECONDS = 600

/** Test accounts by role; the chain impersonates them. */
export const DEPOSITOR: Hex = '0x1000000000000000000000000000000000000001'
export const RECIPIENT: Hex = '0x2000000000000000000000000000000000000002'
export const SOLVER: Hex = '0x3000000000000000000000000000000000000003'
export const FILLER: Hex = '0x4000000000000000000000000000000000000004'
export const STRANGER: Hex = '0x5000000000000000000000000000000000000005'

/** The attester's signing key and an untrusted key. */
export const ATTESTER = privateKeyToAccount(pad('0x0a'))
export const IMPOSTOR = privateKeyToAccount(pad('0x0b'))

/** The id of a fill transaction on another chain. */
export const FILL: Hex = keccak256('0xf111')

const CHAIN_NUMBER = 31_337
/** Chain hashes of this chain and of a payment chain, as orders name them. */
export const HERE = keccak256(stringToHex(`eip155:${CHAIN_NUMBER}`))
const LEDGER = keccak256(stringToHex('stellar:pubnet'))
const VAULT: Hex = keccak256('0xaa')

const ARTIFACTS = {
  settler: ownArtifact('attested/AttestedSettler'),
  token: ownArtifact('test/HostileToken'),
  puppet: ownArtifact('test/Puppet'),
} as const

const ABI: Abi = Object.values(ARTIFACTS).flatMap(({ abi }) =>
  abi.filter(({ type }) => type === 'function' || type === 'event' || type === 'error'),
)

/** Starts the chain, deploys the contracts and funds depositor, filler and stranger. The caller stops it. */
export const startAttestedWorld = async (): Promise<AttestedWorld> => {
  const options = ['--gas-price', '0', '--block-base-fee-per-gas', '0', '--auto-impersonate']
  const anvil = await startAnvil(CHAIN_NUMBER, ...options)
  try {
    const chain = openChain(CHAIN_NUMBER, anvil, ABI)
    const deploy = createDeploy(chain, ARTIFACTS)
    const token = await deploy('token')
    const settler = await deploy('settler', [WINDOW_SECONDS])
    const world = { ...chain, deploy, token, settler, stop: anvil.stop }
    for (const account of [DEPOSITOR, FILLER, STRANGER]) await fund(world, account, token)
    return world
  } catch (cause) {
    await anvil.stop()
    throw cause
  }
}

const WEALTH = 10n ** 30n

/** Gives an account native value and tokens, and approves the settler for the tokens. */
export const fund = async (
  world: Pick<AttestedWorld, 'rpc' | 'run' | 'encode' | 'settler'>,
  account: Hex,
  token: Hex,
): Promise<void> => {
  await world.rpc('anvil_setBalance', account, numberToHex(WEALTH))
  await world.run({ from: account, to: token, data: world.encode('mint', [account, WEALTH]) })
  await world.run({ from: account, to: token, data: world.encode('approve', [world.settler, WEALTH]) })
}

/** Addresses padded to 32 bytes; 32-byte values unchanged. */
type Part = Partial<AttestedOrder>

const padded = (part: Part): Part =>
  Object.fromEntries(
    Object.entries(part).map(([name, value]) => [
      name,
      // CAST: an address is hex of 42 characters.
      name !== 'attester' && typeof value === 'string' && value.length === 42 ? pad(value as Hex) : value,
    ]),
  )

const orderOf = (world: AttestedWorld, nowSeconds: number, part: Part): AttestedOrder => ({
  salt: `0x${randomBytes(32).toString('hex')}`,
  originChain: HERE,
  originSettler: pad(world.settler),
  depositor: pad(DEPOSITOR),
  inputToken: pad(world.token),
  inputAmount: 1_000_000n,
  destinationChain: LEDGER,
  destinationSettler: VAULT,
  outputToken: keccak256('0xbb'),
  outputAmount: 990_000n,
  recipient: keccak256('0xcc'),
  recipientTag: 7n,
  solver: pad(SOLVER),
  filler: keccak256('0xdd'),
  openDeadline: nowSeconds + 600,
  fillDeadline: nowSeconds + 1200,
  refundAfter: nowSeconds + 1200 + WINDOW_SECONDS,
  attester: ATTESTER.address,
  ...padded(part),
})

/** An order that pays tokens on this chain for an output on a payment chain. */
export const outOf = orderOf

/** An order that pays on a payment chain for tokens on this chain. */
export const into = (world: AttestedWorld, nowSeconds: number, part: Part = {}): AttestedOrder =>
  orderOf(world, nowSeconds, {
    originChain: LEDGER,
    originSettler: VAULT,
    depositor: keccak256('0xee'),
    inputToken: keccak256('0xbb'),
    destinationChain: HERE,
    destinationSettler: world.settler,
    outputToken: world.token,
    recipient: RECIPIENT,
    recipientTag: 0n,
    solver: keccak256('0xff'),
    filler: FILLER,
    ...part,
  })

/** The address in the last 20 bytes of a word. */
export const addressOf = (word: Hex): Hex => `0x${word.slice(26)}`

const nativeOf = (token: Hex, amount: bigint): bigint => (addressOf(token) === zeroAddress ? amount : 0n)

/** The calls of each entitled party for one order. */
export const callsOf = ({ settler: to, encode }: AttestedWorld, order: AttestedOrder) => ({
  open: {
    from: addressOf(order.depositor),
    to,
    data: encode('open', [order]),
    value: nativeOf(order.inputToken, order.inputAmount),
  },
  fill: {
    from: addressOf(order.filler),
    to,
    data: encode('fill', [order]),
    value: nativeOf(order.outputToken, order.outputAmount),
  },
  decline: { from: addressOf(order.solver), to, data: encode('decline', [order]) },
  refund: { from: STRANGER, to, data: encode('refund', [order]) },
})

/** A release call with a signature, by default the attester's for this settler, order and transaction. */
export const releaseCall = async (
  world: AttestedWorld,
  order: AttestedOrder,
  signer = ATTESTER,
  hash = fillDigestOf(CHAIN_NUMBER, world.settler, attestedIdOf(order), FILL),
): Promise<Call> => releaseBy(world, order, await signer.sign({ hash }))

/** A release call with arbitrary signature bytes. */
export const releaseBy = (
  { settler, encode }: AttestedWorld,
  order: AttestedOrder,
  signature: Hex,
): Call => ({ from: STRANGER, to: settler, data: encode('release', [order, FILL, signature]) })

/** The arguments of the first event with this name. */
export const argsOf = (events: readonly Event[], name: string) =>
  events.find(({ eventName }) => eventName === name)?.args

/** Each change to an order makes the call revert with the given error, or succeed where the error is undefined. */
export const assertRefused = async (
  world: AttestedWorld,
  name: 'open' | 'fill',
  make: (part: Part) => AttestedOrder,
  changes: readonly (readonly [Part, string | undefined])[],
): Promise<void> => {
  for (const [part, expected] of changes) {
    const refusal = await world.refusal(callsOf(world, make(part))[name])
    assert.equal(refusal, expected, Object.keys(part).join())
  }
}
