import assert from 'node:assert/strict'
import { createWalletClient, encodeFunctionData, type Hex, parseAbi, toFunctionSelector } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { createBackends } from '../src/backends/create-backends.ts'
import { its } from '../src/backends/its/index.ts'
import { createCatalog } from '../src/chains/catalog.ts'
import { createEvmChain } from '../src/chains/evm/index.ts'
import { Network, type NetworkToken } from '../src/core/network.ts'
import { type BackendWorld, user } from './backend-world.ts'
import { chainClients } from './wallet.ts'

/** Where the code that a shim stands before is put. */
const MOVED_SERVICE = `0x${'5e'.repeat(20)}`
const MOVED_TOKEN = `0x${'70'.repeat(20)}`
const SELECTOR = toFunctionSelector('interchainTransfer(bytes32,string,bytes,uint256,bytes,uint256)').slice(2)
const IS_ASSOCIATED = toFunctionSelector('isAssociated()').slice(2)
const ASSOCIATE = toFunctionSelector('associate()').slice(2)

const COPY = '365f5f37'
const RETURN_OR_REVERT = (at: string): string => `3d5f5f3e60${at}573d5ffd5b3d5ff3`

const byteOf = (offset: number): string => offset.toString(16).padStart(2, '0')
const lengthOf = (code: string): number => code.length / 2

/** Hands the call in memory to moved code, in the storage of the contract, and returns what it returns. */
const handOn = (before: string, moved: string): string => {
  const call = `5f5f365f73${moved.slice(2)}5af4`
  // The jump is behind the copy of the result, the push of its place, the jump itself and the revert.
  return `${call}${RETURN_OR_REVERT(byteOf(lengthOf(before) + lengthOf(call) + 10))}`
}

/**
 * Code that takes a transfer as a chain of two scales does: the value is 10^10 times the fee in the calldata, which the contract behind it, whose
 * machine counts as the transaction does, is told as the value.
 */
const scaledService = (): string => {
  const head = `${COPY}5f3560e01c63${SELECTOR}1415`
  // 60 JD 57 60a451 6402540be40002 3414 60 OK 57 5f5ffd 5b 3460a452 5b
  const scaled = '60a4516402540be400023414'
  const accept = lengthOf(head) + 3 + lengthOf(scaled) + 3 + 3
  const rest = accept + 1 + 4
  const before = `${head}60${byteOf(rest)}57${scaled}60${byteOf(accept)}575f5ffd5b3460a4525b`
  return `0x${before}${handOn(before, MOVED_SERVICE)}`
}

/** Code of a token that answers about the association of its caller, and lets it associate itself. Source: HIP-719. */
const associatedToken = (): string => {
  const dispatch = (ask: number, tell: number): string =>
    `${COPY}5f3560e01c8063${IS_ASSOCIATED}1460${byteOf(ask)}5763${ASSOCIATE}1460${byteOf(tell)}57`
  const length = lengthOf(dispatch(0, 0))
  const onward = handOn(dispatch(0, 0), MOVED_TOKEN)
  const ask = length + lengthOf(onward)
  const asked = '5b33545f5260205ff3'
  const told = '5b6001335560165f5260205ff3'
  return `0x${dispatch(ask, ask + lengthOf(asked))}${onward}${asked}${told}`
}

const rpc = async (
  world: BackendWorld,
  chainId: string,
  method: string,
  params: unknown[],
): Promise<unknown> => {
  const [node] = world.deps.network.chains.find((one) => one.chainId === chainId)?.rpcUrls ?? []
  assert.ok(node !== undefined)
  const answer = await fetch(node, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  })
  // CAST: an answer of JSON-RPC.
  const { result, error } = (await answer.json()) as { readonly result?: unknown; readonly error?: unknown }
  assert.equal(error, undefined)
  return result
}

const standBefore = async (
  world: BackendWorld,
  chainId: string,
  { address, moved, code }: { readonly address: string; readonly moved: string; readonly code: string },
): Promise<void> => {
  const original = await rpc(world, chainId, 'eth_getCode', [address, 'latest'])
  await rpc(world, chainId, 'anvil_setCode', [moved, original])
  await rpc(world, chainId, 'anvil_setCode', [address, code])
}

/** Gives a chain the scales of Hedera at its token service, and associations to one of its tokens. */
export const asHedera = async (world: BackendWorld, chainId: string, token: string): Promise<void> => {
  const service = world.catalog.chain(chainId)?.axelar?.its
  assert.ok(service !== undefined)
  await standBefore(world, chainId, { address: service, moved: MOVED_SERVICE, code: scaledService() })
  await standBefore(world, chainId, { address: token, moved: MOVED_TOKEN, code: associatedToken() })
}

/** Associates a user with a token. */
export const associate = async (
  world: BackendWorld,
  chainId: string,
  token: string,
  index: number,
): Promise<void> => {
  const { chain, transport, reader } = chainClients(world.sandbox, chainId)
  const wallet = createWalletClient({
    account: privateKeyToAccount(user(index).privateKey),
    chain,
    transport,
  })
  // CAST: an address of the network file.
  const to = token as Hex
  const data = encodeFunctionData({ abi: parseAbi(['function associate()']), functionName: 'associate' })
  const hash = await wallet.sendTransaction({ to, data })
  assert.equal((await reader.waitForTransactionReceipt({ hash })).status, 'success')
}

/** `its` over the same chains with a network file in which one has Hedera's scales and tokens; `stop` stops it alone. */
export const withHedera = async (
  world: BackendWorld,
  chainId: string,
  change: (token: NetworkToken) => object,
): Promise<BackendWorld> => {
  const { network } = world.deps
  const changed = network.chains.map((entry) => {
    if (entry.chainId !== chainId) return entry
    const { intent: _intent, attested: _attested, express: _express, ...chain } = entry
    const nativeToken = { symbol: 'HBAR', decimals: 8, valueDecimals: 18 }
    return { ...chain, nativeToken, gasScale: 16, tokenStandard: 'hts' as const }
  })
  const tokens = network.tokens.map((token) =>
    token.chainId === chainId && /^0x0{40}$/.test(token.address)
      ? { ...token, symbol: 'HBAR', decimals: 8 }
      : change(token),
  )
  const unbound = tokens.map((token) => {
    const { gateway, ...rest } = token as NetworkToken
    return rest.chainId === chainId && gateway !== undefined
      ? { ...rest, intent: false, gateway: { denom: gateway.denom, symbol: gateway.symbol } }
      : token
  })
  const catalog = createCatalog(Network.parse({ ...network, chains: changed, tokens: unbound }))
  const entry = catalog.chain(chainId)
  assert.ok(entry !== undefined)
  const { log, now } = world.deps
  const timing = { readMs: 60_000, allowanceMs: 60_000, observeMs: 60_000 }
  const evm = createEvmChain({ ...entry, now, log, timing })
  await evm.start()
  const evmChains = new Map([...world.deps.evmChains, [entry.chainId, evm] as const])
  const backends = createBackends([its], { ...world.deps, catalog, evmChains })
  for (const backend of backends) await backend.start()
  const stop = async (): Promise<void> => {
    for (const backend of backends) backend.stop()
    await evm.stop()
  }
  return { ...world, catalog, backends, deps: { ...world.deps, evmChains }, stop }
}
