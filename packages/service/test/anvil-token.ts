import { readFileSync } from 'node:fs'
import {
  createTestClient,
  erc20Abi,
  getAddress,
  getContractAddress,
  http,
  parseAbi,
  publicActions,
  walletActions,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { foundry } from 'viem/chains'
import { z } from 'zod'
import { until } from './eventually.ts'
import { type PrivateAnvil, startAnvil } from './private-anvil.ts'

const ARTIFACT =
  '../../../node_modules/@axelar-network/interchain-token-service/artifacts/@axelar-network/axelar-gmp-sdk-solidity/contracts/test/token/ERC20MintableBurnable.sol/ERC20MintableBurnable.json'
const { bytecode } = z
  .object({ bytecode: z.templateLiteral(['0x', z.string()]) })
  .parse(JSON.parse(readFileSync(new URL(ARTIFACT, import.meta.url), 'utf8')))
const abi = [...erc20Abi, ...parseAbi(['constructor(string,string,uint8)', 'function mint(address,uint256)'])]

/** The first account of anvil's well-known mnemonic; it deploys and owns the token. */
const account = privateKeyToAccount('0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80')

/** The account that the owner approves and mints to. */
export const SPENDER = getAddress(`0x${'5'.repeat(40)}`)

const CALL_DEADLINE_MS = 120_000

const connect = (anvil: PrivateAnvil, chainId: number) =>
  createTestClient({
    account,
    chain: { ...foundry, id: chainId },
    mode: 'anvil',
    // A repeated call would mine twice.
    transport: http(anvil.rpcUrl, { timeout: CALL_DEADLINE_MS, retryCount: 0 }),
    pollingInterval: 20,
  })
    .extend(publicActions)
    .extend(walletActions)

/** A private chain with one ERC-20 of 6 decimals, and helpers to use it. The caller stops it. */
export const startTokenChain = async (chainId: number) => {
  const anvil = await startAnvil(chainId, '--slots-in-an-epoch', '1')
  const client = connect(anvil, chainId)
  const token = getContractAddress({ from: account.address, nonce: 0n })
  await client.waitForTransactionReceipt({
    hash: await client.deployContract({ abi, bytecode, args: ['Token', 'TKN', 6] }),
  })
  const send = (functionName: 'approve' | 'mint', amount: bigint) =>
    client.writeContract({ address: token, abi, functionName, args: [SPENDER, amount] })
  const call = async (functionName: 'approve' | 'mint', amount: bigint) =>
    client.waitForTransactionReceipt({ hash: await send(functionName, amount) })
  return {
    anvil,
    client,
    token,
    owner: account.address,
    approve: (amount: bigint) => call('approve', amount),
    mintForReceipt: (amount: bigint) => call('mint', amount),
    /** Mints, and returns the transaction, without reading a receipt: anvil may never have one for a block mined around a reorg. */
    mint: async (amount: bigint) => {
      const sent = () => client.getTransactionCount({ address: account.address })
      const before = await sent()
      const hash = await send('mint', amount)
      await until(async () => (await sent()) > before)
      return hash
    },
    /** Sends a transfer that the token rejects. Returns its hash once it is mined. */
    fail: async () => {
      const hash = await client.writeContract({
        address: token,
        abi,
        functionName: 'transferFrom',
        args: [SPENDER, account.address, 1n << 255n],
        gas: 100_000n,
      })
      await client.waitForTransactionReceipt({ hash })
      return hash
    },
    balance: () => client.readContract({ address: token, abi, functionName: 'balanceOf', args: [SPENDER] }),
  }
}
