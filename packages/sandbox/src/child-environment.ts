/** The environment variables passed to child processes: program paths, package resolution, bundle and compile cache. */
export const childEnvironment = (): NodeJS.ProcessEnv => ({
  PATH: process.env['PATH'],
  NODE_OPTIONS: process.env['NODE_OPTIONS'],
  OPENRFQ_BUNDLE: process.env['OPENRFQ_BUNDLE'],
  NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
})
