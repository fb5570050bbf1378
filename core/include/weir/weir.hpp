#pragma once
/// Everything a service needs: the application, handlers and their options, and the in-process broker.
#include <weir/application.hpp>
#include <weir/memory/broker.hpp>
#include <weir/runtime/offload.hpp>
#include <weir/runtime/sleep.hpp>
#include <weir/runtime/when_all.hpp>
#include <weir/runtime/when_any.hpp>
#include <weir/version.hpp>
