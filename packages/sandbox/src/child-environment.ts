import { join } from 'node:path'

/**
 * The environment variables passed to child processes: program paths, package resolution, the bundle of programs and the
 * compile cache, which a bundle contains.
 */
export const childEnvironment = (): NodeJS.ProcessEnv => {
  const { PATH, NODE_OPTIONS, NODE_COMPILE_CACHE, OPENRFQ_BUNDLE } = process.env
  return {
    PATH,
    NODE_OPTIONS,
    OPENRFQ_BUNDLE,
    NODE_COMPILE_CACHE: OPENRFQ_BUNDLE ? join(OPENRFQ_BUNDLE, 'code') : NODE_COMPILE_CACHE,
  }
}
