import { createPublicClient, http, type PublicClient } from 'viem'
import {
  ATTESTER,
  DEPLOYER,
  EXPRESS_EXECUTOR,
  GOVERNOR,
  KEEPER,
  LIQUIDITY_PROVIDER,
  OPENER,
  RELAYER,
  SOLVERS,
  TWIN_DEPLOYER,
  USERS,
} from '../keys.ts'
import { postRpc } from '../rpc-call.ts'
import { type Account, createAccount, viemChain } from './account.ts'
import { readPermit2 } from './permit2.ts'
import type { ChainPlan } from './plan.ts'

/** A chain under construction: its plan and its deploying accounts. */
export type Site = {
  readonly plan: ChainPlan
  readonly rpcUrl: string
  readonly client: PublicClient
  readonly deployer: Account
  readonly twinDeployer: Account
  readonly governor: Account
  readonly liquidityProvider: Account
}

const WHOLE = 10n ** 18n
const USER_NATIVE = 10_000n * WHOLE
const SOLVER_NATIVE = 100_000n * WHOLE
const SERVANT_NATIVE = 1_000_000n * WHOLE
const DEPLOYER_NATIVE = 1_000_000_000n * WHOLE

/** Opens an empty automining chain and funds the accounts with its native asset. */
export const openSite = async (plan: ChainPlan, rpcUrl: string): Promise<Site> => {
  const balances: readonly (readonly [string, bigint])[] = [
    [DEPLOYER.address, DEPLOYER_NATIVE],
    ...[TWIN_DEPLOYER, GOVERNOR, RELAYER, KEEPER, LIQUIDITY_PROVIDER, EXPRESS_EXECUTOR, ATTESTER, OPENER].map(
      (key) => [key.address, SERVANT_NATIVE] as const,
    ),
    ...USERS.map((key) => [key.address, USER_NATIVE] as const),
    ...SOLVERS.map((key) => [key.address, SOLVER_NATIVE] as const),
  ]
  for (const [address, amount] of balances)
    await postRpc(rpcUrl, 'anvil_setBalance', [address, `0x${amount.toString(16)}`])
  const permit2 = readPermit2()
  await postRpc(rpcUrl, 'anvil_setCode', [permit2.address, permit2.code])
  const account = (privateKey: `0x${string}`) => createAccount(plan.chainNumber, rpcUrl, privateKey, 0)
  return {
    plan,
    rpcUrl,
    client: createPublicClient({
      chain: viemChain(plan.chainNumber, rpcUrl),
      transport: http(rpcUrl, { retryCount: 0, timeout: 10_000 }),
    }),
    deployer: account(DEPLOYER.privateKey),
    twinDeployer: account(TWIN_DEPLOYER.privateKey),
    governor: account(GOVERNOR.privateKey),
    liquidityProvider: account(LIQUIDITY_PROVIDER.privateKey),
  }
}
