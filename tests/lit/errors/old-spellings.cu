// Options that were renamed say what they are called.
//
// RUN: not %kfuse %s --effort=20 2>&1 | FileCheck %s --check-prefix=BUDGET
// BUDGET: kfuse: error: '--effort=20' is called '--search-budget' now
// RUN: not %kfuse %s -no-conditions 2>&1 | FileCheck %s --check-prefix=CHECKS
// CHECKS: '-no-conditions' is called '--no-runtime-checks' now
// RUN: not %kfuse %s --dead=A 2>&1 | FileCheck %s --check-prefix=DEAD
// DEAD: is called '--assume-dead' now
// RUN: not %kfuse %s --defer-checks 2>&1 | FileCheck %s --check-prefix=FATAL
// FATAL: is called '--sink-fatal-checks' now
// RUN: not %kfuse %s --assume=no-wrap,long-rows 2>&1 | FileCheck %s --check-prefix=ROWS
// ROWS: is called '--assume=pitch-covers-row' now
// RUN: not %kfuse %s --assume=enough-threads 2>&1 | FileCheck %s --check-prefix=GRID
// GRID: is called '--assume=grid-covers-data' now
// RUN: not %kfuse search %s --search=plain-genetic 2>&1 | FileCheck %s --check-prefix=SEARCH
// SEARCH: is called '--search=sc14-ga' now
// RUN: not %kfuse %s --cost-without=start 2>&1 | FileCheck %s --check-prefix=RAMP
// RAMP: is called '--cost-without=starts' now
