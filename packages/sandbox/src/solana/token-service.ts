import { readFileSync } from 'node:fs'
import { type Address, address, getProgramDerivedAddress } from '@solana/kit'
import { findAssociatedTokenPda } from '@solana-program/token'
import type { Hex } from '../deployment-types.ts'
import { HUB } from '../deployment-types.ts'
import { addressBytes } from './address-bytes.ts'
import { borshBytes, borshU64 } from './borsh.ts'
import { createHolding, INTERCHAIN_TOKEN, LOCKED_UNITS } from './genesis.ts'
import { type SolanaKey, solanaKey } from './keys.ts'
import type { Vm } from './vm.ts'

/** Axelar's programs on Solana's mainnet, whose addresses the sandbox's ones have. Source: axelar-contract-deployments. */
export const TOKEN_SERVICE: Address = address('itsAUdHnV2K99ppbM6d6WUDac8MD54RAE7dUKHnw1Eg')
export const GATEWAY: Address = address('gtwqvLL93XK7pC2eMvfGamqokvs19AytzaVhrL2iKiz')
export const GAS_SERVICE: Address = address('gaszjG8797GGm8oACCzH2KLLifGp2nugKkLwaecwBjT')

/** Brings the hub's messages; the program knows its address. */
export const AXELAR_RELAYER: SolanaKey = solanaKey('axelar relayer')

const ROOT_DISCRIMINATOR = Buffer.from('a0e264d86bc9a543', 'hex')
const MANAGER_DISCRIMINATOR = Buffer.from('b9617ce7464be42f', 'hex')
const LOCK_UNLOCK = 2
const SOME = 1
/** Units that may flow in six hours: a quarter of what is locked. */
const FLOW_LIMIT_UNITS = LOCKED_UNITS / 4n
const RELAYER_LAMPORTS = 10_000_000_000_000n
/** Keeps the treasury of the gas service alive. */
const TREASURY_LAMPORTS = 1_000_000_000n
const SYSTEM_PROGRAM = address('11111111111111111111111111111111')

const derived = (programAddress: Address, ...seeds: readonly (string | Uint8Array)[]) =>
  getProgramDerivedAddress({ programAddress, seeds: [...seeds] })

/** The event authority of one of the programs. */
export const eventAuthority = async (program: Address): Promise<Address> =>
  (await derived(program, '__event_authority'))[0]

/** The account that holds what the token service trusts. */
export const rootAddress = () => derived(TOKEN_SERVICE, 'interchain-token-service')

/** The account that stands for an executed message. */
export const messageAddress = async (commandId: Uint8Array): Promise<Address> =>
  (await derived(TOKEN_SERVICE, 'incoming message', commandId))[0]

const idBytes = (tokenId: Hex): Uint8Array => Buffer.from(tokenId.slice(2), 'hex')

/** A token's manager, with the bump of its address. */
export const managerAddress = async (tokenId: Hex) => {
  const [root] = await rootAddress()
  return derived(TOKEN_SERVICE, 'token-manager', addressBytes(root), idBytes(tokenId))
}

/** The account in which a manager holds its tokens. */
export const managerAccount = async (
  manager: Address,
  mint: Address,
  tokenProgram: Address,
): Promise<Address> => (await findAssociatedTokenPda({ owner: manager, mint, tokenProgram }))[0]

/** Loads Axelar's programs, and gives the relayer its funds. */
export const writeTokenService = async (vm: Vm): Promise<void> => {
  const program = readFileSync(new URL('../../programs/axelar.so', import.meta.url))
  for (const place of [TOKEN_SERVICE, GATEWAY, GAS_SERVICE]) vm.addProgram(place, program)
  const [treasury] = await derived(GAS_SERVICE, 'gas-service')
  const bytes = new Uint8Array()
  const none = { bytes, executable: false }
  vm.write(AXELAR_RELAYER.address, { ...none, owner: SYSTEM_PROGRAM, lamports: RELAYER_LAMPORTS })
  vm.write(treasury, { ...none, owner: GAS_SERVICE, lamports: TREASURY_LAMPORTS })
}

const writeRoot = async (vm: Vm, chainName: string, trusted: readonly string[]): Promise<void> => {
  const [root, bump] = await rootAddress()
  const count = Buffer.alloc(4)
  count.writeUInt32LE(trusted.length)
  const isPaused = Buffer.of(0)
  const bytes = Buffer.concat([
    ROOT_DISCRIMINATOR,
    borshBytes(HUB.address),
    borshBytes(chainName),
    isPaused,
    count,
    ...trusted.map(borshBytes),
    Buffer.of(bump),
  ])
  vm.write(root, { bytes, owner: TOKEN_SERVICE, executable: false, lamports: vm.rentLamports(bytes.length) })
}

/** Makes the interchain token of the sandbox that of the id, which the chains of these Axelar names send and take. */
export const registerToken = async (
  vm: Vm,
  chainName: string,
  tokenId: Hex,
  trusted: readonly string[],
): Promise<void> => {
  await writeRoot(vm, chainName, trusted)
  const { address: mint, program } = INTERCHAIN_TOKEN
  const [manager, bump] = await managerAddress(tokenId)
  const held = await managerAccount(manager, mint, program)
  const bytes = Buffer.concat([
    MANAGER_DISCRIMINATOR,
    Buffer.of(LOCK_UNLOCK),
    idBytes(tokenId),
    addressBytes(mint),
    addressBytes(held),
    Buffer.of(SOME),
    borshU64(FLOW_LIMIT_UNITS),
    ...[0n, 0n, 0n].map(borshU64),
    Buffer.of(bump),
  ])
  vm.write(manager, {
    bytes,
    owner: TOKEN_SERVICE,
    executable: false,
    lamports: vm.rentLamports(bytes.length),
  })
  await createHolding(vm, INTERCHAIN_TOKEN, program, manager, LOCKED_UNITS)
}
