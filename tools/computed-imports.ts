const GAP = String.raw`(?:\s|/\*[^]*?\*/)*`
const LOADER = String.raw`\b(?:import|import\.meta\.resolve|require|require\.resolve|createRequire|getBuiltinModule)`
const LITERAL = String.raw`\s*(['"])[^'"]+\1\s*[,)]`
const COMPUTED = new RegExp(`${LOADER}${GAP}\\((?!${LITERAL})`)

/** Whether a module may load another by a name that it computes, which dependency-cruiser does not see. */
export const hasComputedImport = (text: string): boolean => COMPUTED.test(text)
