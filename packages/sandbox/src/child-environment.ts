/**
 * The environment variables passed to child processes: where programs are, how packages are resolved, and compiled
 * code.
 */
export const childEnvironment = (): NodeJS.ProcessEnv => ({
  PATH: process.env['PATH'],
  NODE_OPTIONS: process.env['NODE_OPTIONS'],
  NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
})
