// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {OwnedToken} from "./OwnedToken.sol";

/// @title An ERC-20 that, like USDT, refuses to change one non-zero allowance to another.
contract ResettingToken is OwnedToken {
    error AllowanceNotReset(address owner, address spender);

    constructor(string memory name_, string memory symbol_, uint8 decimals_) OwnedToken(name_, symbol_, decimals_) {}

    function approve(address spender, uint256 value) public override returns (bool) {
        if (value != 0 && allowance(msg.sender, spender) != 0) revert AllowanceNotReset(msg.sender, spender);
        return super.approve(spender, value);
    }
}
