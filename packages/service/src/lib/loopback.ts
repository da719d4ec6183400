const LOOPBACK = /^(localhost|.+\.localhost|127(\.[0-9]{1,3}){3}|\[::1\])$/

/** Whether a host name, as `URL` tells it, is this machine's own. */
export const isLoopback = (hostname: string): boolean => LOOPBACK.test(hostname)
