#include "peers_cvode.h"

#include "base/error.h"

#ifdef PHLO_HAS_CVODE
#include <cvode/cvode.h>
#include <nvector/nvector_serial.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>

#include <algorithm>

namespace phlo::bench {
namespace {

int rates(double, N_Vector y, N_Vector f, void* data) {
    static_cast<const OdeProblem*>(data)->rates(N_VGetArrayPointer(y), N_VGetArrayPointer(f));
    return 0;
}

int jacobian(double, N_Vector y, N_Vector, SUNMatrix matrix, void* data, N_Vector, N_Vector, N_Vector) {
    static_cast<const OdeProblem*>(data)->jacobian(N_VGetArrayPointer(y), SM_DATA_D(matrix));
    return 0;
}

void be_quiet(int, const char*, const char*, char*, void*) {}

}  // namespace

struct Cvode::State {
    OdeProblem problem;
    SUNContext context = nullptr;
    N_Vector y = nullptr;
    SUNMatrix matrix = nullptr;
    SUNLinearSolver solver = nullptr;
    void* memory = nullptr;
};

bool Cvode::available() { return true; }

Cvode::Cvode(OdeProblem problem, double relative, double absolute) : state_(std::make_unique<State>()) {
    State& s = *state_;
    s.problem = std::move(problem);
    SUNContext_Create(nullptr, &s.context);
    s.y = N_VNew_Serial(s.problem.n, s.context);
    N_VConst(1, s.y);
    s.memory = CVodeCreate(CV_BDF, s.context);
    CVodeSetErrHandlerFn(s.memory, be_quiet, nullptr);
    CVodeInit(s.memory, rates, 0, s.y);
    CVodeSetUserData(s.memory, &s.problem);
    CVodeSStolerances(s.memory, relative, absolute);
    s.matrix = SUNDenseMatrix(s.problem.n, s.problem.n, s.context);
    s.solver = SUNLinSol_Dense(s.y, s.matrix, s.context);
    CVodeSetLinearSolver(s.memory, s.solver, s.matrix);
    CVodeSetJacFn(s.memory, jacobian);
    CVodeSetMaxNumSteps(s.memory, 1'000'000);
}

Cvode::~Cvode() {
    CVodeFree(&state_->memory);
    SUNLinSolFree(state_->solver);
    SUNMatDestroy(state_->matrix);
    N_VDestroy(state_->y);
    SUNContext_Free(&state_->context);
}

bool Cvode::integrate(double* y, double dt) {
    State& s = *state_;
    double* own = N_VGetArrayPointer(s.y);
    std::copy_n(y, s.problem.n, own);
    CVodeReInit(s.memory, 0, s.y);
    CVodeSetStopTime(s.memory, dt);
    double reached = 0;
    const int status = CVode(s.memory, dt, s.y, &reached, CV_NORMAL);
    std::copy_n(own, s.problem.n, y);
    return status >= 0;
}

}  // namespace phlo::bench

#else

namespace phlo::bench {

struct Cvode::State {};
bool Cvode::available() { return false; }
Cvode::Cvode(OdeProblem, double, double) { throw RunError("this bench was built without CVODE"); }
Cvode::~Cvode() = default;
bool Cvode::integrate(double*, double) { return false; }

}  // namespace phlo::bench
#endif
