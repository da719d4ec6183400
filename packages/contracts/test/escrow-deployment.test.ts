import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addressBytes } from '@openrfq/sandbox/src/solana/address-bytes.ts'
import { ESCROW_PROGRAM } from '@openrfq/sandbox/test/escrow-programs.ts'
import { fundTokens } from '@openrfq/sandbox/test/escrow-tokens.ts'
import {
  createEscrowWorld,
  type EscrowWorld,
  named,
  PROGRAM,
  SPONSOR,
  START,
} from '@openrfq/sandbox/test/escrow-world.ts'
import {
  type AccountMeta,
  AccountRole,
  type Address,
  address,
  getAddressEncoder,
  getProgramDerivedAddress,
  type Instruction,
} from '@solana/kit'
import { accepts, moves, refuses } from './escrow-cheat.ts'
import { AMOUNT, escrowOf, KINDS } from './escrow-order.ts'

const LOADER = address('BPFLoaderUpgradeab1e11111111111111111111111')
const RENT = address('SysvarRent111111111111111111111111111111111')
const CLOCK = address('SysvarC1ock11111111111111111111111111111111')
const SYSTEM_PROGRAM = address('11111111111111111111111111111111')
const AUTHORITY = SPONSOR

/** Instructions and states of the loader. Source: Agave, loader-v3-interface. */
const DEPLOY = 2
const UPGRADE = 3
const SET_AUTHORITY = 4
const BUFFER_STATE = 1
const PROGRAM_BYTES = 36
const PROGRAM_DATA_HEAD = 45

const writable = (key: Address): AccountMeta => ({ address: key, role: AccountRole.WRITABLE })
const readonly = (key: Address): AccountMeta => ({ address: key, role: AccountRole.READONLY })
const signer = (key: Address): AccountMeta => ({ address: key, role: AccountRole.WRITABLE_SIGNER })

const programDataOf = async (program: Address): Promise<Address> => {
  const seeds = [getAddressEncoder().encode(program)]
  return (await getProgramDerivedAddress({ programAddress: LOADER, seeds }))[0]
}

const call = (tag: number, accounts: readonly AccountMeta[], rest: readonly number[] = []): Instruction => ({
  programAddress: LOADER,
  accounts,
  data: Uint8Array.of(tag, 0, 0, 0, ...rest),
})

/** An account that holds a program until it is deployed. */
const writeBuffer = (world: EscrowWorld, name: string, program: Uint8Array): Address => {
  const bytes = Uint8Array.of(BUFFER_STATE, 0, 0, 0, 1, ...addressBytes(AUTHORITY), ...program)
  world.write(named(name), { lamports: world.rentOf(bytes.length), bytes, owner: LOADER })
  return named(name)
}

/** Deploys a program through the loader, as `solana program deploy` does. */
const deploy = async (program: Uint8Array) => {
  const world = createEscrowWorld(undefined)
  const buffer = writeBuffer(world, 'buffer', program)
  const empty = { lamports: world.rentOf(PROGRAM_BYTES), bytes: new Uint8Array(PROGRAM_BYTES), owner: LOADER }
  world.write(PROGRAM, empty)
  const size = Buffer.alloc(8)
  size.writeBigUInt64LE(BigInt(program.length))
  const data = await programDataOf(PROGRAM)
  const accounts = [
    ...[signer(AUTHORITY), writable(data), writable(PROGRAM), writable(buffer)],
    ...[readonly(RENT), readonly(CLOCK), readonly(SYSTEM_PROGRAM)],
    { address: AUTHORITY, role: AccountRole.READONLY_SIGNER },
  ]
  return { world, data, deploying: call(DEPLOY, accounts, [...size]) }
}

test('the loader deploys the program with every feature of the network, and it is immutable once finalized', async () => {
  const { world, data, deploying } = await deploy(ESCROW_PROGRAM)
  accepts(world, deploying)
  accepts(world, call(SET_AUTHORITY, [writable(data), signer(AUTHORITY)]))
  const stored = world.read(data)?.bytes ?? new Uint8Array()
  assert.equal(stored[12], 0)
  assert.deepEqual(Buffer.from(stored.subarray(PROGRAM_DATA_HEAD)), Buffer.from(ESCROW_PROGRAM))
  world.setTime(START)
  const buffer = writeBuffer(world, 'another buffer', ESCROW_PROGRAM)
  const accounts = [
    ...[writable(data), writable(PROGRAM), writable(buffer), writable(AUTHORITY)],
    ...[readonly(RENT), readonly(CLOCK), signer(AUTHORITY)],
  ]
  refuses(world, call(UPGRADE, accounts), 'Immutable')
})

test('a deployed program opens, releases, refunds and closes orders of every kind', async (t) => {
  const { world, deploying } = await deploy(ESCROW_PROGRAM)
  accepts(world, deploying)
  world.setTime(START)
  await fundTokens(world)
  const units: Record<string, string> = {}
  for (const [index, kind] of KINDS.entries()) {
    const released = await escrowOf(kind, { salt: `0x${String(index).padStart(64, '0')}` })
    const refunded = await escrowOf(kind, { salt: `0x${String(index + 10).padStart(64, '0')}` })
    const steps = {
      open: released.open,
      release: released.release,
      'second open': refunded.open,
      decline: refunded.decline,
    }
    const changes = { depositor: -AMOUNT, solver: AMOUNT, sponsor: 0n }
    const run = (): void => {
      for (const [name, instruction] of Object.entries(steps)) {
        const sent = world.send([instruction])
        assert.equal(sent.error, undefined, `${kind} ${name}`)
        units[`${name} ${kind}`] = `${sent.units} units, ${sent.size} bytes`
      }
      world.setTime(START + 61)
      accepts(world, [released.close, refunded.close])
      world.setTime(START)
    }
    await moves(world, released, run, changes)
  }
  for (const [name, text] of Object.entries(units)) t.diagnostic(`${name}: ${text}`)
  t.diagnostic(`program: ${ESCROW_PROGRAM.length} bytes`)
})
