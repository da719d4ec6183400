declare module 'solc' {
  type ReadImport = (path: string) => { contents: string } | { error: string }
  const solc: { compile: (input: string, callbacks: { import: ReadImport }) => string }
  export = solc
}
