/** The target of a request without the scheme and host that proxies send. Source: RFC 9112, 3.2.2. */
export const localTarget = (target: string): string => {
  if (target.startsWith('/') || !ABSOLUTE.test(target)) return target
  const local = target.replace(ABSOLUTE, '')
  return local.startsWith('/') ? local : `/${local}`
}

const ABSOLUTE = /^https?:\/\/[^/?#]*/i

/** The path of a local target. */
export const pathOf = (target: string): string => {
  const cut = target.indexOf('?')
  return cut < 0 ? target : target.slice(0, cut)
}

/** The query of a local target without its question mark; empty when there is none. */
export const queryOf = (target: string): string => {
  const cut = target.indexOf('?')
  return cut < 0 ? '' : target.slice(cut + 1)
}
