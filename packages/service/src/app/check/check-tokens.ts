import { tryGiving } from '../../backends/its/giving-trial.ts'
import { addressAt, stringAt, uintAt } from '../../chains/evm/abi-words.ts'
import { EVM_NATIVE_TOKEN } from '../../chains/evm/address.ts'
import { DECIMALS_DATA, SYMBOL_DATA } from '../../chains/evm/erc20.ts'
import type { EvmCall, EvmChain, EvmResult } from '../../chains/evm/evm-chain.ts'
import { isSameAddress } from '../../core/comparable-address.ts'
import { movedContract, tokenIdsOf } from '../../core/interchain-token.ts'
import type { NetworkChain, NetworkToken } from '../../core/network.ts'
import { tokenAddressesData, tokenMintLimitData } from '../../protocols/axelar/gateway-contract.ts'
import {
  deployedTokenManagerData,
  ITS_READS,
  TOKEN_MANAGER_TYPES,
} from '../../protocols/axelar/its-contract.ts'
import { readInSmallBatches } from './contract-calls.ts'
import { doubtful, type Finding, fine, wrong } from './finding.ts'

const subjectOf = ({ symbol, address, chainId }: NetworkToken): string =>
  `token ${symbol} ${address} on ${chainId}`

/** A question about a token and what its answer means. */
type Question = { readonly call: EvmCall; readonly judge: (answer: EvmResult) => readonly Finding[] }

/** Whether a bridged token calls itself by the symbol without the mark that sets it apart. */
const isMarked = ({ bridged, symbol }: NetworkToken, told: string): boolean =>
  bridged === true && symbol === `${told}.axl`

const metadataQuestions = (token: NetworkToken): readonly Question[] => {
  const subject = subjectOf(token)
  return [
    {
      call: { to: movedContract(token), data: DECIMALS_DATA },
      judge: (answer) => {
        const told = uintAt(answer ?? '0x', 0)
        if (told === undefined) return [wrong(subject, 'it has no decimals(): is this address the token?')]
        return told === BigInt(token.decimals)
          ? []
          : [
              wrong(
                subject,
                `decimals: it has ${told}, not ${token.decimals}; correct the file, it is not quoted`,
              ),
            ]
      },
    },
    {
      call: { to: movedContract(token), data: SYMBOL_DATA },
      judge: (answer) => {
        const told = stringAt(answer ?? '0x', 0)
        return told === undefined || told === token.symbol || isMarked(token, told)
          ? []
          : [doubtful(subject, `symbol: it calls itself ${JSON.stringify(told.slice(0, 32))}`)]
      },
    },
  ]
}

const gatewayQuestions = (token: NetworkToken, { axelar }: NetworkChain): readonly Question[] => {
  if (token.gateway === undefined || axelar === undefined) return []
  const subject = subjectOf(token)
  const { symbol } = token.gateway
  return [
    {
      call: { to: axelar.gateway, data: tokenAddressesData(symbol) },
      judge: (answer) => {
        const told = addressAt(answer ?? '0x', 0)
        return told !== undefined && isSameAddress(told, token.address)
          ? []
          : [
              wrong(
                subject,
                `gateway.symbol: the gateway knows ${symbol} as ${told ?? 'nothing'}; correct it`,
              ),
            ]
      },
    },
    {
      call: { to: axelar.gateway, data: tokenMintLimitData(symbol) },
      judge: (answer) =>
        uintAt(answer ?? '0x', 0) === undefined
          ? [wrong(subject, 'gateway.symbol: the gateway tells no mint limit; correct axelar.gateway')]
          : [],
    },
  ]
}

const ask = async (evm: EvmChain, questions: readonly Question[]): Promise<readonly Finding[]> => {
  const answers = await readInSmallBatches(
    evm,
    questions.map(({ call }) => call),
  )
  return questions.flatMap(({ judge }, index) => judge(answers[index]))
}

/** An account that no issuer has a reason to refuse: what is sent there is burnt by custom. */
const ANYBODY = '0x000000000000000000000000000000000000dEaD'

/** The trial of a quote with one base unit; a token of the Hedera Token Service has no such calls. */
const givingFindings = async (
  evm: EvmChain,
  { axelar, tokenStandard }: NetworkChain,
  token: NetworkToken,
  manager: { readonly address: string; readonly kind: EvmResult },
): Promise<readonly Finding[]> => {
  const type = TOKEN_MANAGER_TYPES[Number(uintAt(manager.kind ?? '0x', 0) ?? -1n)]
  if (axelar?.its === undefined || type === undefined || tokenStandard === 'hts') return []
  const side = { its: axelar.its, erc20: movedContract(token) }
  const given = { side, manager: { address: manager.address, type }, recipient: ANYBODY, amount: 1n }
  return (await tryGiving(evm, given)) === 'refused'
    ? [
        doubtful(
          subjectOf(token),
          'its: it is not given here now (no right to mint, a pause, a cap or an empty lock), so that nothing is quoted to it',
        ),
      ]
    : []
}

/** Compares the token managers of interchain tokens with the tokens: first the managers, then what they manage and give. */
const checkManagers = async (
  evm: EvmChain,
  chain: NetworkChain,
  its: string,
  tokens: readonly NetworkToken[],
): Promise<readonly Finding[]> => {
  const moved = tokens.flatMap((token) =>
    tokenIdsOf(token).map((tokenId, index) => ({
      token,
      tokenId,
      place: index === 0 ? 'its.tokenId' : `its.otherTokenIds[${index - 1}]`,
    })),
  )
  const managers = await readInSmallBatches(
    evm,
    moved.map(({ tokenId }) => ({ to: its, data: deployedTokenManagerData(tokenId) })),
  )
  const known = moved.map((one, index) => ({ ...one, manager: addressAt(managers[index] ?? '0x', 0) }))
  const missing = known.filter(({ manager }) => manager === undefined)
  const managed = known.flatMap(({ token, place, manager }) =>
    manager === undefined ? [] : { token, place, manager },
  )
  const kinds = await readInSmallBatches(
    evm,
    managed.map(({ manager }) => ({ to: manager, data: ITS_READS.implementationTypeAndTokenAddress })),
  )
  const others = managed.flatMap(({ token, place }, index) => {
    const told = addressAt(kinds[index] ?? '0x', 1)
    return told !== undefined && isSameAddress(told, movedContract(token))
      ? []
      : [wrong(subjectOf(token), `${place}: it is the id of ${told ?? 'nothing'}; correct it`)]
  })
  const given: Finding[] = []
  for (const [index, { token, manager }] of managed.entries())
    given.push(...(await givingFindings(evm, chain, token, { address: manager, kind: kinds[index] })))
  return [
    ...missing.map(({ token, place }) =>
      wrong(subjectOf(token), `${place}: it has no token manager; correct it`),
    ),
    ...others,
    ...given,
  ]
}

/** Compares the tokens of one chain with their contracts. Rejects if the chain cannot be read. */
export const checkTokens = async (
  evm: EvmChain,
  chain: NetworkChain,
  all: readonly NetworkToken[],
): Promise<readonly Finding[]> => {
  const tokens = all.filter(
    (token) => token.chainId === chain.chainId && movedContract(token) !== EVM_NATIVE_TOKEN,
  )
  if (tokens.length === 0) return []
  const its = chain.axelar?.its
  const found = [
    ...(await ask(
      evm,
      tokens.flatMap((token) => [...metadataQuestions(token), ...gatewayQuestions(token, chain)]),
    )),
    ...(its === undefined ? [] : await checkManagers(evm, chain, its, tokens)),
  ]
  const agreeing = tokens.length - new Set(found.map(({ subject }) => subject)).size
  return [
    ...found,
    fine(`chain ${chain.chainId} tokens`, `${agreeing} of ${tokens.length} are as the file says`),
  ]
}
