import { Resolver } from 'node:dns/promises'
import { isIP, type LookupFunction } from 'node:net'
import { CodedError } from './coded-error.ts'
import { isPublicAddress } from './public-address.ts'

/** Why a host has no address to connect to: DNS answers none, or none of the public internet. */
class LookupFault extends CodedError<'NO_ADDRESS' | 'NOT_PUBLIC'> {}

const TIMEOUT_MS = 2_000
const TRIES = 2

/**
 * A look-up of the public addresses of a host, for connections that are to go nowhere else: what is connected to are the
 * addresses that it checked, so a name that resolves differently a moment later changes nothing. It asks DNS servers, by
 * default the machine's, and occupies no thread, unlike the machine's own resolver. Fails with `NO_ADDRESS` or `NOT_PUBLIC`.
 */
export const createPublicLookup = (servers?: readonly string[]): LookupFunction => {
  const resolver = new Resolver({ timeout: TIMEOUT_MS, tries: TRIES })
  if (servers !== undefined) resolver.setServers(servers)
  const resolve = async (hostname: string): Promise<readonly string[]> => {
    if (isIP(hostname) !== 0) return [hostname]
    const answers = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)])
    return answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
  }
  const publicOf = async (hostname: string): Promise<readonly string[]> => {
    const addresses = await resolve(hostname)
    if (addresses.length === 0) throw new LookupFault('NO_ADDRESS', `DNS knows no address of ${hostname}`)
    const allowed = addresses.filter(isPublicAddress)
    if (allowed.length > 0) return allowed
    throw new LookupFault('NOT_PUBLIC', `${hostname} is ${addresses.join(', ')}, no public address`)
  }
  return (hostname, { all }, callback) => {
    publicOf(hostname).then(
      (addresses) => {
        const [first = ''] = addresses
        if (all === true)
          callback(
            null,
            addresses.map((address) => ({ address, family: isIP(address) })),
          )
        else callback(null, first, isIP(first))
      },
      (fault: LookupFault) => callback(fault, ''),
    )
  }
}
