import type { ChainType } from '@openrfq/sdk'
import { isSameAddress } from '../core/comparable-address.ts'
import type { SandboxInfo } from './sandbox-client.ts'
import { UsageError } from './usage-error.ts'

type Account = SandboxInfo['accounts'][number]

/** The sandbox's accounts of a family, by index. */
export const accountsOf = ({ accounts }: SandboxInfo, family: ChainType): readonly Account[] =>
  accounts.filter(({ chainType }) => chainType === family)

/** The account of a family with the index given by `--account`. Throws UsageError, also without a sandbox. */
export const numberedAccount = (
  sandbox: SandboxInfo | undefined,
  family: ChainType,
  number: string,
): Account => {
  if (sandbox === undefined) throw new UsageError('--account works with a sandbox only')
  const accounts = accountsOf(sandbox, family)
  const account = /^[0-9]{1,4}$/.test(number) ? accounts[Number(number)] : undefined
  if (account !== undefined) return account
  if (accounts.length === 0) throw new UsageError(`the sandbox has no accounts of family ${family}`)
  throw new UsageError(`--account is "${number}"; expected 0 to ${accounts.length - 1}`)
}

/** The account of another family with the same index; undefined if there is none. */
export const sameIndexAccount = (
  sandbox: SandboxInfo,
  { chainType, address }: Pick<Account, 'chainType' | 'address'>,
  family: ChainType,
): Account | undefined => {
  const number = accountsOf(sandbox, chainType).findIndex((account) =>
    isSameAddress(account.address, address),
  )
  return number === -1 ? undefined : accountsOf(sandbox, family)[number]
}
