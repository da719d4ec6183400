import { z } from 'zod'
import { isLoopback } from '../lib/loopback.ts'

/** Whether a text is an address that a browser may open or load: https, or http on this machine. */
export const isWebAddress = (text: string): boolean => {
  const url = URL.parse(text)
  if (url?.protocol === 'https:') return true
  return url?.protocol === 'http:' && isLoopback(url.hostname)
}

/** An address that interfaces may link to or load. */
export const WebAddress = z
  .string()
  .refine(isWebAddress, 'expected an https:// address, or an http:// address of this machine')
