// Written by `npm run artifacts` from settlers/Settler.sol.
/** Escrow and fills of orders between EVM chains, proved by Axelar, and to and from ledgers, proved by attesters. */
export const settlerAbi = [
  {
    "inputs": [],
    "stateMutability": "nonpayable",
    "type": "constructor"
  },
  {
    "inputs": [],
    "name": "ECDSAInvalidSignature",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "uint256",
        "name": "length",
        "type": "uint256"
      }
    ],
    "name": "ECDSAInvalidSignatureLength",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "bytes32",
        "name": "s",
        "type": "bytes32"
      }
    ],
    "name": "ECDSAInvalidSignatureS",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "uint32",
        "name": "fillDeadline",
        "type": "uint32"
      }
    ],
    "name": "FillDeadlinePassed",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "bytes32",
        "name": "orderId",
        "type": "bytes32"
      }
    ],
    "name": "ImpossibleFill",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "token",
        "type": "address"
      },
      {
        "internalType": "uint256",
        "name": "expected",
        "type": "uint256"
      },
      {
        "internalType": "uint256",
        "name": "received",
        "type": "uint256"
      }
    ],
    "name": "InexactTransfer",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "bytes32",
        "name": "account",
        "type": "bytes32"
      }
    ],
    "name": "InvalidAccount",
    "type": "error"
  },
  {
    "inputs": [],
    "name": "InvalidAddress",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "string",
        "name": "name",
        "type": "string"
      }
    ],
    "name": "InvalidChainName",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "uint256",
        "name": "fee",
        "type": "uint256"
      }
    ],
    "name": "InvalidFee",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "payee",
        "type": "address"
      }
    ],
    "name": "InvalidPayee",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "bytes",
        "name": "permission",
        "type": "bytes"
      }
    ],
    "name": "InvalidPermission",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "signer",
        "type": "address"
      }
    ],
    "name": "InvalidSignature",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "bytes32",
        "name": "orderId",
        "type": "bytes32"
      }
    ],
    "name": "MixedBatch",
    "type": "error"
  },
  {
    "inputs": [],
    "name": "NativeInput",
    "type": "error"
  },
  {
    "inputs": [],
    "name": "NotApprovedByGateway",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "signer",
        "type": "address"
      }
    ],
    "name": "NotAttester",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "caller",
        "type": "address"
      },
      {
        "internalType": "bytes32",
        "name": "depositor",
        "type": "bytes32"
      }
    ],
    "name": "NotDepositor",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "caller",
        "type": "address"
      },
      {
        "internalType": "bytes32",
        "name": "filler",
        "type": "bytes32"
      }
    ],
    "name": "NotFiller",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "caller",
        "type": "address"
      },
      {
        "internalType": "address",
        "name": "payee",
        "type": "address"
      }
    ],
    "name": "NotPayee",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "payee",
        "type": "address"
      },
      {
        "internalType": "address",
        "name": "token",
        "type": "address"
      }
    ],
    "name": "NothingToPay",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "uint32",
        "name": "openDeadline",
        "type": "uint32"
      }
    ],
    "name": "OpenDeadlinePassed",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "token",
        "type": "address"
      },
      {
        "internalType": "address",
        "name": "to",
        "type": "address"
      },
      {
        "internalType": "uint256",
        "name": "amount",
        "type": "uint256"
      }
    ],
    "name": "PaymentRefused",
    "type": "error"
  },
  {
    "inputs": [],
    "name": "ReentrancyGuardReentrantCall",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "uint32",
        "name": "refundAfter",
        "type": "uint32"
      }
    ],
    "name": "RefundTooEarly",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "token",
        "type": "address"
      }
    ],
    "name": "SafeERC20FailedOperation",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "string",
        "name": "chain",
        "type": "string"
      },
      {
        "internalType": "string",
        "name": "sender",
        "type": "string"
      }
    ],
    "name": "UntrustedSource",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "bytes5",
        "name": "accountKinds",
        "type": "bytes5"
      }
    ],
    "name": "WrongAccountKinds",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "bytes32",
        "name": "attesters",
        "type": "bytes32"
      }
    ],
    "name": "WrongAttesters",
    "type": "error"
  },
  {
    "inputs": [],
    "name": "WrongDeadlines",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "uint256",
        "name": "chainId",
        "type": "uint256"
      },
      {
        "internalType": "bytes32",
        "name": "settler",
        "type": "bytes32"
      }
    ],
    "name": "WrongDestination",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "bytes32",
        "name": "name",
        "type": "bytes32"
      }
    ],
    "name": "WrongName",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "bytes32",
        "name": "given",
        "type": "bytes32"
      },
      {
        "internalType": "bytes32",
        "name": "expected",
        "type": "bytes32"
      }
    ],
    "name": "WrongOrderId",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "uint256",
        "name": "length",
        "type": "uint256"
      }
    ],
    "name": "WrongOrderLength",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "bytes32",
        "name": "orderDataType",
        "type": "bytes32"
      }
    ],
    "name": "WrongOrderType",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "uint256",
        "name": "chainId",
        "type": "uint256"
      },
      {
        "internalType": "bytes32",
        "name": "settler",
        "type": "bytes32"
      }
    ],
    "name": "WrongOrigin",
    "type": "error"
  },
  {
    "inputs": [],
    "name": "WrongProof",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "uint256",
        "name": "given",
        "type": "uint256"
      },
      {
        "internalType": "uint256",
        "name": "needed",
        "type": "uint256"
      }
    ],
    "name": "WrongSignatureCount",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "bytes32",
        "name": "orderId",
        "type": "bytes32"
      },
      {
        "internalType": "enum State",
        "name": "state",
        "type": "uint8"
      }
    ],
    "name": "WrongState",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "uint256",
        "name": "given",
        "type": "uint256"
      },
      {
        "internalType": "uint256",
        "name": "expected",
        "type": "uint256"
      }
    ],
    "name": "WrongValue",
    "type": "error"
  },
  {
    "inputs": [],
    "name": "WrongWrapper",
    "type": "error"
  },
  {
    "inputs": [],
    "name": "ZeroAmount",
    "type": "error"
  },
  {
    "anonymous": false,
    "inputs": [
      {
        "indexed": true,
        "internalType": "address",
        "name": "integrator",
        "type": "address"
      },
      {
        "indexed": true,
        "internalType": "address",
        "name": "token",
        "type": "address"
      },
      {
        "indexed": false,
        "internalType": "address",
        "name": "to",
        "type": "address"
      },
      {
        "indexed": false,
        "internalType": "uint256",
        "name": "amount",
        "type": "uint256"
      }
    ],
    "name": "FeesPaid",
    "type": "event"
  },
  {
    "anonymous": false,
    "inputs": [
      {
        "indexed": true,
        "internalType": "bytes32",
        "name": "orderId",
        "type": "bytes32"
      },
      {
        "indexed": true,
        "internalType": "address",
        "name": "filler",
        "type": "address"
      },
      {
        "indexed": true,
        "internalType": "bytes32",
        "name": "repayTo",
        "type": "bytes32"
      }
    ],
    "name": "Filled",
    "type": "event"
  },
  {
    "anonymous": false,
    "inputs": [
      {
        "indexed": true,
        "internalType": "bytes32",
        "name": "orderId",
        "type": "bytes32"
      },
      {
        "components": [
          {
            "internalType": "address",
            "name": "user",
            "type": "address"
          },
          {
            "internalType": "uint256",
            "name": "originChainId",
            "type": "uint256"
          },
          {
            "internalType": "uint32",
            "name": "openDeadline",
            "type": "uint32"
          },
          {
            "internalType": "uint32",
            "name": "fillDeadline",
            "type": "uint32"
          },
          {
            "internalType": "bytes32",
            "name": "orderId",
            "type": "bytes32"
          },
          {
            "components": [
              {
                "internalType": "bytes32",
                "name": "token",
                "type": "bytes32"
              },
              {
                "internalType": "uint256",
                "name": "amount",
                "type": "uint256"
              },
              {
                "internalType": "bytes32",
                "name": "recipient",
                "type": "bytes32"
              },
              {
                "internalType": "uint256",
                "name": "chainId",
                "type": "uint256"
              }
            ],
            "internalType": "struct Output[]",
            "name": "maxSpent",
            "type": "tuple[]"
          },
          {
            "components": [
              {
                "internalType": "bytes32",
                "name": "token",
                "type": "bytes32"
              },
              {
                "internalType": "uint256",
                "name": "amount",
                "type": "uint256"
              },
              {
                "internalType": "bytes32",
                "name": "recipient",
                "type": "bytes32"
              },
              {
                "internalType": "uint256",
                "name": "chainId",
                "type": "uint256"
              }
            ],
            "internalType": "struct Output[]",
            "name": "minReceived",
            "type": "tuple[]"
          },
          {
            "components": [
              {
                "internalType": "uint256",
                "name": "destinationChainId",
                "type": "uint256"
              },
              {
                "internalType": "bytes32",
                "name": "destinationSettler",
                "type": "bytes32"
              },
              {
                "internalType": "bytes",
                "name": "originData",
                "type": "bytes"
              }
            ],
            "internalType": "struct FillInstruction[]",
            "name": "fillInstructions",
            "type": "tuple[]"
          }
        ],
        "indexed": false,
        "internalType": "struct ResolvedCrossChainOrder",
        "name": "resolvedOrder",
        "type": "tuple"
      }
    ],
    "name": "Open",
    "type": "event"
  },
  {
    "anonymous": false,
    "inputs": [
      {
        "indexed": true,
        "internalType": "bytes32",
        "name": "orderId",
        "type": "bytes32"
      },
      {
        "indexed": true,
        "internalType": "address",
        "name": "payee",
        "type": "address"
      }
    ],
    "name": "Proven",
    "type": "event"
  },
  {
    "anonymous": false,
    "inputs": [
      {
        "indexed": true,
        "internalType": "bytes32",
        "name": "orderId",
        "type": "bytes32"
      },
      {
        "indexed": true,
        "internalType": "address",
        "name": "to",
        "type": "address"
      },
      {
        "indexed": false,
        "internalType": "uint256",
        "name": "amount",
        "type": "uint256"
      }
    ],
    "name": "Refunded",
    "type": "event"
  },
  {
    "anonymous": false,
    "inputs": [
      {
        "indexed": true,
        "internalType": "bytes32",
        "name": "orderId",
        "type": "bytes32"
      },
      {
        "indexed": true,
        "internalType": "address",
        "name": "payee",
        "type": "address"
      },
      {
        "indexed": false,
        "internalType": "address",
        "name": "to",
        "type": "address"
      },
      {
        "indexed": false,
        "internalType": "uint256",
        "name": "amount",
        "type": "uint256"
      }
    ],
    "name": "Released",
    "type": "event"
  },
  {
    "inputs": [],
    "name": "PERMIT2",
    "outputs": [
      {
        "internalType": "contract IPermit2",
        "name": "",
        "type": "address"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  },
  {
    "inputs": [],
    "name": "chainName",
    "outputs": [
      {
        "internalType": "bytes32",
        "name": "",
        "type": "bytes32"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  },
  {
    "inputs": [
      {
        "components": [
          {
            "internalType": "bytes32",
            "name": "salt",
            "type": "bytes32"
          },
          {
            "internalType": "uint256",
            "name": "originChainId",
            "type": "uint256"
          },
          {
            "internalType": "bytes32",
            "name": "originSettler",
            "type": "bytes32"
          },
          {
            "internalType": "bytes32",
            "name": "depositor",
            "type": "bytes32"
          },
          {
            "internalType": "bytes32",
            "name": "inputToken",
            "type": "bytes32"
          },
          {
            "internalType": "uint256",
            "name": "inputAmount",
            "type": "uint256"
          },
          {
            "internalType": "uint256",
            "name": "destinationChainId",
            "type": "uint256"
          },
          {
            "internalType": "bytes32",
            "name": "destinationName",
            "type": "bytes32"
          },
          {
            "internalType": "bytes32",
            "name": "destinationSettler",
            "type": "bytes32"
          },
          {
            "internalType": "bytes32",
            "name": "outputToken",
            "type": "bytes32"
          },
          {
            "internalType": "uint256",
            "name": "outputAmount",
            "type": "uint256"
          },
          {
            "internalType": "bytes32",
            "name": "recipient",
            "type": "bytes32"
          },
          {
            "internalType": "uint64",
            "name": "recipientTag",
            "type": "uint64"
          },
          {
            "internalType": "bytes32",
            "name": "solver",
            "type": "bytes32"
          },
          {
            "internalType": "bytes32",
            "name": "filler",
            "type": "bytes32"
          },
          {
            "internalType": "bytes5",
            "name": "accountKinds",
            "type": "bytes5"
          },
          {
            "internalType": "uint32",
            "name": "openDeadline",
            "type": "uint32"
          },
          {
            "internalType": "uint32",
            "name": "exclusiveUntil",
            "type": "uint32"
          },
          {
            "internalType": "uint32",
            "name": "fillDeadline",
            "type": "uint32"
          },
          {
            "internalType": "uint32",
            "name": "refundAfter",
            "type": "uint32"
          },
          {
            "internalType": "bytes32",
            "name": "attesters",
            "type": "bytes32"
          },
          {
            "internalType": "bytes32",
            "name": "integrator",
            "type": "bytes32"
          },
          {
            "internalType": "uint256",
            "name": "integratorFee",
            "type": "uint256"
          }
        ],
        "internalType": "struct Order[]",
        "name": "orders",
        "type": "tuple[]"
      },
      {
        "internalType": "address",
        "name": "to",
        "type": "address"
      }
    ],
    "name": "claim",
    "outputs": [],
    "stateMutability": "nonpayable",
    "type": "function"
  },
  {
    "inputs": [],
    "name": "domainSeparator",
    "outputs": [
      {
        "internalType": "bytes32",
        "name": "",
        "type": "bytes32"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "bytes32",
        "name": "commandId",
        "type": "bytes32"
      },
      {
        "internalType": "string",
        "name": "sourceChain",
        "type": "string"
      },
      {
        "internalType": "string",
        "name": "sourceAddress",
        "type": "string"
      },
      {
        "internalType": "bytes",
        "name": "payload",
        "type": "bytes"
      }
    ],
    "name": "execute",
    "outputs": [],
    "stateMutability": "nonpayable",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "integrator",
        "type": "address"
      },
      {
        "internalType": "address",
        "name": "token",
        "type": "address"
      }
    ],
    "name": "feesOf",
    "outputs": [
      {
        "internalType": "uint256",
        "name": "",
        "type": "uint256"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "bytes32",
        "name": "orderId",
        "type": "bytes32"
      },
      {
        "internalType": "bytes",
        "name": "originData",
        "type": "bytes"
      },
      {
        "internalType": "bytes",
        "name": "fillerData",
        "type": "bytes"
      }
    ],
    "name": "fill",
    "outputs": [],
    "stateMutability": "payable",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "bytes32",
        "name": "orderId",
        "type": "bytes32"
      },
      {
        "internalType": "bytes32",
        "name": "repayTo",
        "type": "bytes32"
      },
      {
        "internalType": "uint8",
        "name": "repayToKind",
        "type": "uint8"
      },
      {
        "internalType": "uint32",
        "name": "filledAt",
        "type": "uint32"
      }
    ],
    "name": "fillDigestOf",
    "outputs": [
      {
        "internalType": "bytes32",
        "name": "",
        "type": "bytes32"
      }
    ],
    "stateMutability": "pure",
    "type": "function"
  },
  {
    "inputs": [],
    "name": "gasService",
    "outputs": [
      {
        "internalType": "contract IAxelarGasService",
        "name": "",
        "type": "address"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  },
  {
    "inputs": [],
    "name": "gateway",
    "outputs": [
      {
        "internalType": "contract IAxelarGateway",
        "name": "",
        "type": "address"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  },
  {
    "inputs": [
      {
        "components": [
          {
            "internalType": "bytes32",
            "name": "salt",
            "type": "bytes32"
          },
          {
            "internalType": "uint256",
            "name": "originChainId",
            "type": "uint256"
          },
          {
            "internalType": "bytes32",
            "name": "originSettler",
            "type": "bytes32"
          },
          {
            "internalType": "bytes32",
            "name": "depositor",
            "type": "bytes32"
          },
          {
            "internalType": "bytes32",
            "name": "inputToken",
            "type": "bytes32"
          },
          {
            "internalType": "uint256",
            "name": "inputAmount",
            "type": "uint256"
          },
          {
            "internalType": "uint256",
            "name": "destinationChainId",
            "type": "uint256"
          },
          {
            "internalType": "bytes32",
            "name": "destinationName",
            "type": "bytes32"
          },
          {
            "internalType": "bytes32",
            "name": "destinationSettler",
            "type": "bytes32"
          },
          {
            "internalType": "bytes32",
            "name": "outputToken",
            "type": "bytes32"
          },
          {
            "internalType": "uint256",
            "name": "outputAmount",
            "type": "uint256"
          },
          {
            "internalType": "bytes32",
            "name": "recipient",
            "type": "bytes32"
          },
          {
            "internalType": "uint64",
            "name": "recipientTag",
            "type": "uint64"
          },
          {
            "internalType": "bytes32",
            "name": "solver",
            "type": "bytes32"
          },
          {
            "internalType": "bytes32",
            "name": "filler",
            "type": "bytes32"
          },
          {
            "internalType": "bytes5",
            "name": "accountKinds",
            "type": "bytes5"
          },
          {
            "internalType": "uint32",
            "name": "openDeadline",
            "type": "uint32"
          },
          {
            "internalType": "uint32",
            "name": "exclusiveUntil",
            "type": "uint32"
          },
          {
            "internalType": "uint32",
            "name": "fillDeadline",
            "type": "uint32"
          },
          {
            "internalType": "uint32",
            "name": "refundAfter",
            "type": "uint32"
          },
          {
            "internalType": "bytes32",
            "name": "attesters",
            "type": "bytes32"
          },
          {
            "internalType": "bytes32",
            "name": "integrator",
            "type": "bytes32"
          },
          {
            "internalType": "uint256",
            "name": "integratorFee",
            "type": "uint256"
          }
        ],
        "internalType": "struct Order",
        "name": "order",
        "type": "tuple"
      }
    ],
    "name": "idOf",
    "outputs": [
      {
        "internalType": "bytes32",
        "name": "",
        "type": "bytes32"
      }
    ],
    "stateMutability": "pure",
    "type": "function"
  },
  {
    "inputs": [],
    "name": "maximumEscrow",
    "outputs": [
      {
        "internalType": "uint256",
        "name": "",
        "type": "uint256"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  },
  {
    "inputs": [
      {
        "components": [
          {
            "internalType": "uint32",
            "name": "fillDeadline",
            "type": "uint32"
          },
          {
            "internalType": "bytes32",
            "name": "orderDataType",
            "type": "bytes32"
          },
          {
            "internalType": "bytes",
            "name": "orderData",
            "type": "bytes"
          }
        ],
        "internalType": "struct OnchainCrossChainOrder",
        "name": "wrapped",
        "type": "tuple"
      }
    ],
    "name": "open",
    "outputs": [],
    "stateMutability": "payable",
    "type": "function"
  },
  {
    "inputs": [
      {
        "components": [
          {
            "internalType": "address",
            "name": "originSettler",
            "type": "address"
          },
          {
            "internalType": "address",
            "name": "user",
            "type": "address"
          },
          {
            "internalType": "uint256",
            "name": "nonce",
            "type": "uint256"
          },
          {
            "internalType": "uint256",
            "name": "originChainId",
            "type": "uint256"
          },
          {
            "internalType": "uint32",
            "name": "openDeadline",
            "type": "uint32"
          },
          {
            "internalType": "uint32",
            "name": "fillDeadline",
            "type": "uint32"
          },
          {
            "internalType": "bytes32",
            "name": "orderDataType",
            "type": "bytes32"
          },
          {
            "internalType": "bytes",
            "name": "orderData",
            "type": "bytes"
          }
        ],
        "internalType": "struct GaslessCrossChainOrder",
        "name": "wrapped",
        "type": "tuple"
      },
      {
        "internalType": "bytes",
        "name": "signature",
        "type": "bytes"
      },
      {
        "internalType": "bytes",
        "name": "",
        "type": "bytes"
      }
    ],
    "name": "openFor",
    "outputs": [],
    "stateMutability": "nonpayable",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "token",
        "type": "address"
      },
      {
        "internalType": "address",
        "name": "integrator",
        "type": "address"
      },
      {
        "internalType": "address",
        "name": "to",
        "type": "address"
      }
    ],
    "name": "payFees",
    "outputs": [],
    "stateMutability": "nonpayable",
    "type": "function"
  },
  {
    "inputs": [],
    "name": "proofWindow",
    "outputs": [
      {
        "internalType": "uint32",
        "name": "",
        "type": "uint32"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "bytes32[]",
        "name": "orderIds",
        "type": "bytes32[]"
      },
      {
        "internalType": "string",
        "name": "originChain",
        "type": "string"
      }
    ],
    "name": "prove",
    "outputs": [],
    "stateMutability": "payable",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "bytes32",
        "name": "orderId",
        "type": "bytes32"
      }
    ],
    "name": "record",
    "outputs": [
      {
        "internalType": "enum State",
        "name": "state",
        "type": "uint8"
      },
      {
        "internalType": "uint32",
        "name": "filledAt",
        "type": "uint32"
      },
      {
        "internalType": "uint8",
        "name": "repayToKind",
        "type": "uint8"
      },
      {
        "internalType": "bytes32",
        "name": "repayTo",
        "type": "bytes32"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  },
  {
    "inputs": [
      {
        "components": [
          {
            "internalType": "bytes32",
            "name": "salt",
            "type": "bytes32"
          },
          {
            "internalType": "uint256",
            "name": "originChainId",
            "type": "uint256"
          },
          {
            "internalType": "bytes32",
            "name": "originSettler",
            "type": "bytes32"
          },
          {
            "internalType": "bytes32",
            "name": "depositor",
            "type": "bytes32"
          },
          {
            "internalType": "bytes32",
            "name": "inputToken",
            "type": "bytes32"
          },
          {
            "internalType": "uint256",
            "name": "inputAmount",
            "type": "uint256"
          },
          {
            "internalType": "uint256",
            "name": "destinationChainId",
            "type": "uint256"
          },
          {
            "internalType": "bytes32",
            "name": "destinationName",
            "type": "bytes32"
          },
          {
            "internalType": "bytes32",
            "name": "destinationSettler",
            "type": "bytes32"
          },
          {
            "internalType": "bytes32",
            "name": "outputToken",
            "type": "bytes32"
          },
          {
            "internalType": "uint256",
            "name": "outputAmount",
            "type": "uint256"
          },
          {
            "internalType": "bytes32",
            "name": "recipient",
            "type": "bytes32"
          },
          {
            "internalType": "uint64",
            "name": "recipientTag",
            "type": "uint64"
          },
          {
            "internalType": "bytes32",
            "name": "solver",
            "type": "bytes32"
          },
          {
            "internalType": "bytes32",
            "name": "filler",
            "type": "bytes32"
          },
          {
            "internalType": "bytes5",
            "name": "accountKinds",
            "type": "bytes5"
          },
          {
            "internalType": "uint32",
            "name": "openDeadline",
            "type": "uint32"
          },
          {
            "internalType": "uint32",
            "name": "exclusiveUntil",
            "type": "uint32"
          },
          {
            "internalType": "uint32",
            "name": "fillDeadline",
            "type": "uint32"
          },
          {
            "internalType": "uint32",
            "name": "refundAfter",
            "type": "uint32"
          },
          {
            "internalType": "bytes32",
            "name": "attesters",
            "type": "bytes32"
          },
          {
            "internalType": "bytes32",
            "name": "integrator",
            "type": "bytes32"
          },
          {
            "internalType": "uint256",
            "name": "integratorFee",
            "type": "uint256"
          }
        ],
        "internalType": "struct Order",
        "name": "order",
        "type": "tuple"
      },
      {
        "internalType": "address",
        "name": "to",
        "type": "address"
      }
    ],
    "name": "refund",
    "outputs": [],
    "stateMutability": "nonpayable",
    "type": "function"
  },
  {
    "inputs": [
      {
        "components": [
          {
            "internalType": "bytes32",
            "name": "salt",
            "type": "bytes32"
          },
          {
            "internalType": "uint256",
            "name": "originChainId",
            "type": "uint256"
          },
          {
            "internalType": "bytes32",
            "name": "originSettler",
            "type": "bytes32"
          },
          {
            "internalType": "bytes32",
            "name": "depositor",
            "type": "bytes32"
          },
          {
            "internalType": "bytes32",
            "name": "inputToken",
            "type": "bytes32"
          },
          {
            "internalType": "uint256",
            "name": "inputAmount",
            "type": "uint256"
          },
          {
            "internalType": "uint256",
            "name": "destinationChainId",
            "type": "uint256"
          },
          {
            "internalType": "bytes32",
            "name": "destinationName",
            "type": "bytes32"
          },
          {
            "internalType": "bytes32",
            "name": "destinationSettler",
            "type": "bytes32"
          },
          {
            "internalType": "bytes32",
            "name": "outputToken",
            "type": "bytes32"
          },
          {
            "internalType": "uint256",
            "name": "outputAmount",
            "type": "uint256"
          },
          {
            "internalType": "bytes32",
            "name": "recipient",
            "type": "bytes32"
          },
          {
            "internalType": "uint64",
            "name": "recipientTag",
            "type": "uint64"
          },
          {
            "internalType": "bytes32",
            "name": "solver",
            "type": "bytes32"
          },
          {
            "internalType": "bytes32",
            "name": "filler",
            "type": "bytes32"
          },
          {
            "internalType": "bytes5",
            "name": "accountKinds",
            "type": "bytes5"
          },
          {
            "internalType": "uint32",
            "name": "openDeadline",
            "type": "uint32"
          },
          {
            "internalType": "uint32",
            "name": "exclusiveUntil",
            "type": "uint32"
          },
          {
            "internalType": "uint32",
            "name": "fillDeadline",
            "type": "uint32"
          },
          {
            "internalType": "uint32",
            "name": "refundAfter",
            "type": "uint32"
          },
          {
            "internalType": "bytes32",
            "name": "attesters",
            "type": "bytes32"
          },
          {
            "internalType": "bytes32",
            "name": "integrator",
            "type": "bytes32"
          },
          {
            "internalType": "uint256",
            "name": "integratorFee",
            "type": "uint256"
          }
        ],
        "internalType": "struct Order[]",
        "name": "orders",
        "type": "tuple[]"
      },
      {
        "components": [
          {
            "internalType": "address",
            "name": "repayTo",
            "type": "address"
          },
          {
            "internalType": "uint32[]",
            "name": "filledAt",
            "type": "uint32[]"
          },
          {
            "internalType": "address[]",
            "name": "attesters",
            "type": "address[]"
          },
          {
            "internalType": "bytes",
            "name": "signatures",
            "type": "bytes"
          }
        ],
        "internalType": "struct Attestation",
        "name": "attestation",
        "type": "tuple"
      },
      {
        "internalType": "address",
        "name": "to",
        "type": "address"
      }
    ],
    "name": "release",
    "outputs": [],
    "stateMutability": "nonpayable",
    "type": "function"
  },
  {
    "inputs": [
      {
        "components": [
          {
            "internalType": "uint32",
            "name": "fillDeadline",
            "type": "uint32"
          },
          {
            "internalType": "bytes32",
            "name": "orderDataType",
            "type": "bytes32"
          },
          {
            "internalType": "bytes",
            "name": "orderData",
            "type": "bytes"
          }
        ],
        "internalType": "struct OnchainCrossChainOrder",
        "name": "wrapped",
        "type": "tuple"
      }
    ],
    "name": "resolve",
    "outputs": [
      {
        "components": [
          {
            "internalType": "address",
            "name": "user",
            "type": "address"
          },
          {
            "internalType": "uint256",
            "name": "originChainId",
            "type": "uint256"
          },
          {
            "internalType": "uint32",
            "name": "openDeadline",
            "type": "uint32"
          },
          {
            "internalType": "uint32",
            "name": "fillDeadline",
            "type": "uint32"
          },
          {
            "internalType": "bytes32",
            "name": "orderId",
            "type": "bytes32"
          },
          {
            "components": [
              {
                "internalType": "bytes32",
                "name": "token",
                "type": "bytes32"
              },
              {
                "internalType": "uint256",
                "name": "amount",
                "type": "uint256"
              },
              {
                "internalType": "bytes32",
                "name": "recipient",
                "type": "bytes32"
              },
              {
                "internalType": "uint256",
                "name": "chainId",
                "type": "uint256"
              }
            ],
            "internalType": "struct Output[]",
            "name": "maxSpent",
            "type": "tuple[]"
          },
          {
            "components": [
              {
                "internalType": "bytes32",
                "name": "token",
                "type": "bytes32"
              },
              {
                "internalType": "uint256",
                "name": "amount",
                "type": "uint256"
              },
              {
                "internalType": "bytes32",
                "name": "recipient",
                "type": "bytes32"
              },
              {
                "internalType": "uint256",
                "name": "chainId",
                "type": "uint256"
              }
            ],
            "internalType": "struct Output[]",
            "name": "minReceived",
            "type": "tuple[]"
          },
          {
            "components": [
              {
                "internalType": "uint256",
                "name": "destinationChainId",
                "type": "uint256"
              },
              {
                "internalType": "bytes32",
                "name": "destinationSettler",
                "type": "bytes32"
              },
              {
                "internalType": "bytes",
                "name": "originData",
                "type": "bytes"
              }
            ],
            "internalType": "struct FillInstruction[]",
            "name": "fillInstructions",
            "type": "tuple[]"
          }
        ],
        "internalType": "struct ResolvedCrossChainOrder",
        "name": "",
        "type": "tuple"
      }
    ],
    "stateMutability": "pure",
    "type": "function"
  },
  {
    "inputs": [
      {
        "components": [
          {
            "internalType": "address",
            "name": "originSettler",
            "type": "address"
          },
          {
            "internalType": "address",
            "name": "user",
            "type": "address"
          },
          {
            "internalType": "uint256",
            "name": "nonce",
            "type": "uint256"
          },
          {
            "internalType": "uint256",
            "name": "originChainId",
            "type": "uint256"
          },
          {
            "internalType": "uint32",
            "name": "openDeadline",
            "type": "uint32"
          },
          {
            "internalType": "uint32",
            "name": "fillDeadline",
            "type": "uint32"
          },
          {
            "internalType": "bytes32",
            "name": "orderDataType",
            "type": "bytes32"
          },
          {
            "internalType": "bytes",
            "name": "orderData",
            "type": "bytes"
          }
        ],
        "internalType": "struct GaslessCrossChainOrder",
        "name": "wrapped",
        "type": "tuple"
      },
      {
        "internalType": "bytes",
        "name": "",
        "type": "bytes"
      }
    ],
    "name": "resolveFor",
    "outputs": [
      {
        "components": [
          {
            "internalType": "address",
            "name": "user",
            "type": "address"
          },
          {
            "internalType": "uint256",
            "name": "originChainId",
            "type": "uint256"
          },
          {
            "internalType": "uint32",
            "name": "openDeadline",
            "type": "uint32"
          },
          {
            "internalType": "uint32",
            "name": "fillDeadline",
            "type": "uint32"
          },
          {
            "internalType": "bytes32",
            "name": "orderId",
            "type": "bytes32"
          },
          {
            "components": [
              {
                "internalType": "bytes32",
                "name": "token",
                "type": "bytes32"
              },
              {
                "internalType": "uint256",
                "name": "amount",
                "type": "uint256"
              },
              {
                "internalType": "bytes32",
                "name": "recipient",
                "type": "bytes32"
              },
              {
                "internalType": "uint256",
                "name": "chainId",
                "type": "uint256"
              }
            ],
            "internalType": "struct Output[]",
            "name": "maxSpent",
            "type": "tuple[]"
          },
          {
            "components": [
              {
                "internalType": "bytes32",
                "name": "token",
                "type": "bytes32"
              },
              {
                "internalType": "uint256",
                "name": "amount",
                "type": "uint256"
              },
              {
                "internalType": "bytes32",
                "name": "recipient",
                "type": "bytes32"
              },
              {
                "internalType": "uint256",
                "name": "chainId",
                "type": "uint256"
              }
            ],
            "internalType": "struct Output[]",
            "name": "minReceived",
            "type": "tuple[]"
          },
          {
            "components": [
              {
                "internalType": "uint256",
                "name": "destinationChainId",
                "type": "uint256"
              },
              {
                "internalType": "bytes32",
                "name": "destinationSettler",
                "type": "bytes32"
              },
              {
                "internalType": "bytes",
                "name": "originData",
                "type": "bytes"
              }
            ],
            "internalType": "struct FillInstruction[]",
            "name": "fillInstructions",
            "type": "tuple[]"
          }
        ],
        "internalType": "struct ResolvedCrossChainOrder",
        "name": "",
        "type": "tuple"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  }
] as const
