import { parseAbi } from 'viem'

/** The functions and events of AxelarGateway 6.4.0 that a relayer uses. */
export const GATEWAY_ABI = parseAbi([
  'event ContractCall(address indexed sender, string destinationChain, string destinationContractAddress, bytes32 indexed payloadHash, bytes payload)',
  'event ContractCallWithToken(address indexed sender, string destinationChain, string destinationContractAddress, bytes32 indexed payloadHash, bytes payload, string symbol, uint256 amount)',
  'event Executed(bytes32 indexed commandId)',
  'event ContractCallExecuted(bytes32 indexed commandId)',
  'function execute(bytes input)',
  'function isCommandExecuted(bytes32 commandId) view returns (bool)',
  'function isContractCallApproved(bytes32 commandId, string sourceChain, string sourceAddress, address contractAddress, bytes32 payloadHash) view returns (bool)',
  'function isContractCallAndMintApproved(bytes32 commandId, string sourceChain, string sourceAddress, address contractAddress, bytes32 payloadHash, string symbol, uint256 amount) view returns (bool)',
  'function tokenAddresses(string symbol) view returns (address)',
])

/** The native gas payment events of AxelarGasService 6.4.0. */
export const GAS_SERVICE_ABI = parseAbi([
  'event NativeGasPaidForContractCall(address indexed sourceAddress, string destinationChain, string destinationAddress, bytes32 indexed payloadHash, uint256 gasFeeAmount, address refundAddress)',
  'event NativeGasPaidForContractCallWithToken(address indexed sourceAddress, string destinationChain, string destinationAddress, bytes32 indexed payloadHash, string symbol, uint256 amount, uint256 gasFeeAmount, address refundAddress)',
  'event NativeGasPaidForExpressCall(address indexed sourceAddress, string destinationChain, string destinationAddress, bytes32 indexed payloadHash, uint256 gasFeeAmount, address refundAddress)',
  'event NativeGasPaidForExpressCallWithToken(address indexed sourceAddress, string destinationChain, string destinationAddress, bytes32 indexed payloadHash, string symbol, uint256 amount, uint256 gasFeeAmount, address refundAddress)',
  'event NativeGasAdded(bytes32 indexed txHash, uint256 indexed logIndex, uint256 gasFeeAmount, address refundAddress)',
])

/** The functions that deliver a message to a contract, such as ITS 2.2.0. */
export const EXECUTABLE_ABI = parseAbi([
  'function execute(bytes32 commandId, string sourceChain, string sourceAddress, bytes payload)',
  'function expressExecuteWithToken(bytes32 commandId, string sourceChain, string sourceAddress, bytes payload, string symbol, uint256 amount) payable',
  'function executeWithToken(bytes32 commandId, string sourceChain, string sourceAddress, bytes payload, string tokenSymbol, uint256 amount)',
])

/** The ITS functions that locate its tokens. */
export const ITS_ABI = parseAbi([
  'function tokenManagerAddress(bytes32 tokenId) view returns (address)',
  'function registeredTokenAddress(bytes32 tokenId) view returns (address)',
])

/** The immutable properties of an ERC-20, and its supply. */
export const TOKEN_ABI = parseAbi([
  'function totalSupply() view returns (uint256)',
  'function decimals() view returns (uint8)',
  'function symbol() view returns (string)',
  'function name() view returns (string)',
])
