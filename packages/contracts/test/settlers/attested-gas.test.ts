import { after, before, test } from 'node:test'
import { DEPOSITOR, startAttestedChain } from '@openrfq/sandbox/test/attested-world.ts'
import { createDeploy, ownArtifact } from '@openrfq/sandbox/test/contract-deployer.ts'
import { concat, pad, zeroHash } from 'viem'
import { checkGas, type GasRow, gasOfSuccess } from '../gas-table.ts'
import {
  attest,
  fillCall,
  into,
  openCall,
  outOf,
  refundCall,
  releaseCall,
  signAttested,
  type World,
  worldOf,
} from './attested-world.ts'
import { RECIPIENT, SIGNER, SOLVER, STRANGER } from './world.ts'

const TRANSACTION = pad('0xfe')
const NATIVE = zeroHash

let world: World
let stop: () => Promise<void>
before(async () => {
  const started = await startAttestedChain()
  stop = started.stop
  world = await worldOf(started)
  // Balances that are never zero: a first token costs its holder's slot.
  for (const holder of [world.settler, SOLVER, RECIPIENT])
    await world.run({ from: STRANGER, to: world.token, data: world.encode('mint', [holder, 1n]) })
  for (const holder of [SOLVER, RECIPIENT]) await world.rpc('anvil_setBalance', holder, '0x1')
  for (const part of [{}, { inputToken: NATIVE }]) {
    const order = await outOf(world, part)
    await world.run(openCall(world, order))
    await world.run(releaseCall(world, order, TRANSACTION, await attest(world, order, TRANSACTION)))
  }
})
after(() => stop())

/** DESIGN's row of `open`, with the token and the allowance that `gas.test.ts` measures the other settler with. */
test('an order of a plain token with its exact approval opens within the row of both settlers', async (t) => {
  const deploy = createDeploy(world, { plain: ownArtifact('test/PermitToken') })
  const token = await deploy('plain')
  for (const holder of [DEPOSITOR, world.settler])
    await world.run({ from: STRANGER, to: token, data: world.encode('mint', [holder, 10n ** 9n]) })
  const order = await outOf(world, { inputToken: pad(token) })
  const data = world.encode('approve', [world.settler, order.inputAmount])
  await world.run({ from: DEPOSITOR, to: token, data })
  const gas = await gasOfSuccess(world, openCall(world, order))
  checkGas([['attested open, ERC-20, exact approval', gas, 88_000n]], (line) => t.diagnostic(line))
})

/** ERC-20 is the token of the attested tests, which reads a mood before each transfer; its allowance is a standing one. */
test('gas of the attested settler stays within its limits', async (t) => {
  const rows: GasRow[] = []
  for (const [asset, token, limits] of [
    ['ERC-20', {}, [93_000n, 75_000n, 88_000n]],
    ['native', { inputToken: NATIVE, outputToken: NATIVE }, [64_000n, 63_000n, 68_000n]],
  ] as const) {
    const { inputToken } = { inputToken: undefined, ...token }
    const [open, release, fill] = limits
    const order = await outOf(world, inputToken === undefined ? {} : { inputToken })
    rows.push([`attested open, ${asset}`, await gasOfSuccess(world, openCall(world, order)), open])
    const signature = await attest(world, order, TRANSACTION)
    const released = releaseCall(world, order, TRANSACTION, signature)
    rows.push([`attested release, ${asset}`, await gasOfSuccess(world, released), release])
    const incoming = await into(world, inputToken === undefined ? {} : { outputToken: NATIVE })
    rows.push([`attested fill, ${asset}`, await gasOfSuccess(world, fillCall(world, incoming)), fill])
  }
  const declined = await outOf(world)
  await world.run(openCall(world, declined))
  rows.push([
    'attested decline, ERC-20',
    await gasOfSuccess(world, refundCall(world, declined, SOLVER)),
    60_000n,
  ])
  const order = await outOf(world, { depositor: pad(SIGNER.address) })
  const data = world.encode('openFor', [order, concat(['0x00', await signAttested(order)])])
  const opened = { from: STRANGER, to: world.settler, data }
  rows.push(['attested openFor, an order signature', await gasOfSuccess(world, opened), 102_000n])
  checkGas(rows, (line) => t.diagnostic(line))
})
