import { tokenIdsOf } from '../../core/interchain-token.ts'
import type { Network, NetworkToken } from '../../core/network.ts'
import type { Clock } from '../../lib/clock.ts'
import { mapAtMost } from '../../lib/map-at-most.ts'
import { connectAxelar } from '../../protocols/axelar/axelar.ts'
import type { Hub } from '../../protocols/axelar/hub.ts'
import { doubtful, type Finding, fine, wrong } from './finding.ts'

/** Reads of Axelar's public node under way at the same time. */
const AT_ONCE = 4
const SUBJECT = 'axelar hub'

/** An interchain token on one chain, by Axelar's name of it. */
type Row = { readonly token: NetworkToken; readonly tokenId: string; readonly name: string }

const rowsOf = ({ chains, tokens }: Network): readonly Row[] => {
  const names = new Map(
    chains.flatMap(({ chainId, axelar, tokenReceiver }) => {
      const name = axelar?.its === undefined ? tokenReceiver?.name : axelar.name
      return name === undefined ? [] : [[chainId, name] as const]
    }),
  )
  return tokens.flatMap((token) => {
    const name = names.get(token.chainId)
    return name === undefined ? [] : tokenIdsOf(token).map((tokenId) => ({ token, tokenId, name }))
  })
}

const chainFinding = async (hub: Hub, name: string): Promise<readonly Finding[]> => {
  const chain = await hub.chain(name)
  const subject = `${SUBJECT} chain ${name}`
  if (chain === undefined)
    return [
      wrong(subject, 'it does not know the chain: correct axelar.name, case included; its is not quoted'),
    ]
  const { isFrozen, isSourceFrozen, isDestinationFrozen } = chain
  return isFrozen || isSourceFrozen || isDestinationFrozen
    ? [wrong(subject, 'it or the router has frozen the chain: its is not quoted until that ends')]
    : []
}

const tokenFinding = async (hub: Hub, { token, tokenId, name }: Row): Promise<readonly Finding[]> => {
  const known = await hub.token(name, tokenId)
  const subject = `token ${token.symbol} ${token.address} on ${token.chainId}`
  if (known === undefined)
    return [wrong(subject, `its: Axelar's hub does not have ${tokenId} on ${name}; it is not quoted`)]
  if (known.decimals !== token.decimals)
    return [
      wrong(
        subject,
        `its: Axelar's hub counts it with ${known.decimals} decimals, not ${token.decimals}; it is not quoted`,
      ),
    ]
  return known.supply === 0n
    ? [doubtful(subject, "its: Axelar's hub has brought none of it here, so that none is sent from here")]
    : []
}

/** Compares each interchain token and its chain with Axelar's hub. What cannot be read is an error: nothing is quoted without it. */
export const checkHub = async (network: Network, { now }: Clock): Promise<readonly Finding[]> => {
  const rows = rowsOf(network)
  if (network.axelar === undefined || rows.length === 0) return []
  const { hub } = connectAxelar(network.axelar, { now, log: () => undefined })
  if (hub === undefined)
    return [
      wrong(SUBJECT, 'name axelar.routerAddress and axelar.gatewayAddress: without them its is not quoted'),
    ]
  try {
    const isEnabled = await hub.isEnabled()
    const chains = await mapAtMost(AT_ONCE, [...new Set(rows.map(({ name }) => name))], (name) =>
      chainFinding(hub, name),
    )
    const tokens = await mapAtMost(AT_ONCE, rows, (row) => tokenFinding(hub, row))
    const found = [...chains, ...tokens].flat()
    const agreeing = tokens.filter((findings) => findings.length === 0).length
    return [
      ...(isEnabled ? [] : [wrong(SUBJECT, 'it or the router carries nothing now: its is not quoted')]),
      ...found,
      fine(SUBJECT, `${agreeing} of ${rows.length} interchain tokens are there as the file says`),
    ]
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return [
      wrong(SUBJECT, `it cannot be read (${reason}): its is not quoted; correct axelar.lcdUrl or try again`),
    ]
  }
}
